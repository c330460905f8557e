// layer: flow: the right of && gives a name
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
  if (perhaps() && eat(std::move(z))) (void)z.to_host();
}
