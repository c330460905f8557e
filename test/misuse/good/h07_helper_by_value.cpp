// A helper that takes and gives a tensor
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE Tensor<f32> increased(Tensor<f32> t) {
  auto [back] = increment(std::move(t).partition({16})).sync();
  return std::move(back);
}

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) z = increased(std::move(z));
  return all_are(z, 3.0f);
}
