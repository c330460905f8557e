// layer: types: a slice is not copied or moved
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}|{construct}
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  std::vector<TensorSlice<f32>> parts;
  parts.push_back(z.slice(0, 0, 32));
}
