// layer: flow: one case of a switch gives a name
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
  switch (perhaps() ? 1 : 2) {
    case 1:
      (void)eat(std::move(z));
      break;
    default:
      break;
  }
  (void)z.to_host();
}
