// A vector of tensors that is rotated
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  std::vector<Tensor<f32>> v;
  v.push_back(zeros(d));
  v.push_back(ones(d));
  std::rotate(v.begin(), v.begin() + 1, v.end());
  return all_are(v[0], 1.0f) && all_are(v[1], 0.0f);
}
