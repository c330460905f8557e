// layer: flow: the condition of a loop gives a name each time
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
  int rounds = 0;
  while (eat(std::move(z))) {
    if (++rounds == 3) break;
  }
}
