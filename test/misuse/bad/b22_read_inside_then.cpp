// layer: run time only: that a function runs before its arguments are computed is known by the runtime alone
// SPDX-License-Identifier: Apache-2.0
// expect: {inside_then}
// topic: combinators
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto [a, b] = increment(std::move(z).partition({16}))
                    .then(
                        [](auto given, Shared<f32> q) {
                          auto t = std::get<0>(std::move(given));
                          (void)t.to_host();
                          return twice(std::move(t).partition({16}), q);
                        },
                        s)
                    .sync();
}
