// layer: flow: a name is given in a try block, read after its handler
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE bool eat(Tensor<f32>&& t) {
  auto mine = std::move(t);
  return mine.shape().rank() == 1;
}

void misuse(Device d) {
  auto z = zeros(d);
  try {
    (void)eat(std::move(z));
    if (perhaps()) throw 1;
  } catch (int) {
  }
  (void)z.to_host();
}
