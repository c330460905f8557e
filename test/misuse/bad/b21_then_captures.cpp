// layer: types: a function given to then() must be empty
// SPDX-License-Identifier: Apache-2.0
// expect: must not capture
// topic: combinators
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto [a, b] = increment(std::move(z).partition({16}))
                    .then([&](auto given) { return twice(std::get<0>(std::move(given)).partition({16}), s); })
                    .sync();
}
