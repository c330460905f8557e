// Three buffers that rotate
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  std::array<Tensor<f32>, 3> ring{ones(d), zeros(d), zeros(d)};
  for (std::size_t i = 0; i < 4; ++i) {
    twice(ring[(i + 1) % 3].partition({16}), ring[i % 3].borrow()).sync();
  }
  return all_are(ring[1], 16.0f);
}
