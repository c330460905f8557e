// A vector of tensors that grows between launches
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  std::vector<Tensor<f32>> v;
  for (int i = 0; i < 5; ++i) {
    v.push_back(ones(d));
    for (auto& t : v) increment(t.partition({16})).sync();
  }
  return all_are(v[0], 6.0f) && all_are(v[4], 2.0f);
}
