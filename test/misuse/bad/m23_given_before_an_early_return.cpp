// layer: flow: a helper gives its reference on one path only
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE void maybe_eat(Tensor<f32>& t) {
  if (!perhaps()) return;
  auto mine = std::move(t);
  (void)mine.shape();
}

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  maybe_eat(z);
  (void)z.to_host();
}
