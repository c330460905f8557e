// layer: types: what then() owns is no pointer
// SPDX-License-Identifier: Apache-2.0
// expect: a pointer could dangle
// topic: combinators
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto y = ones(d);
  (void)increment(std::move(z).partition({16}))
      .then([](auto given, const Tensor<f32>*) { return increment(std::get<0>(std::move(given)).partition({16})); }, &y)
      .sync();
}
