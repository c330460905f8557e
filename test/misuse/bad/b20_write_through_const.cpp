// layer: types: a const Tensor has no partition
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  const Tensor<f32>& seen = z;
  increment(seen.partition({16})).sync();
}
