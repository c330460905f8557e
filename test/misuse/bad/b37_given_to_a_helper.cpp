// layer: flow: a name is given to a function, then read
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void eat(Tensor<f32>&& t) {
  auto mine = std::move(t);
  (void)mine.shape();
}

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  eat(std::move(z));
  (void)z.to_host();
}
