// layer: flow: swap() with a name that was given
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE bool eat(Tensor<f32>&& t) {
  auto mine = std::move(t);
  return mine.shape().rank() == 1;
}

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  (void)eat(std::move(z));
  swap(x, z);
  (void)z.shape();
}
