// layer: container: a lambda reads a name that it refers to
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: threads
#include "misuse.hpp"

REHEARSABLE bool eat(Tensor<f32>&& t) {
  auto mine = std::move(t);
  return mine.shape().rank() == 1;
}

void misuse(Device d) {
  auto z = zeros(d);
  (void)eat(std::move(z));
  std::async(std::launch::async, [&] { return z.shape().rank(); }).get();
}
