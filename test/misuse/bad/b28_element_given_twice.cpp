// layer: container: an element of a vector is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::vector<Tensor<f32>> v;
  v.push_back(zeros(d));
  auto [a] = increment(std::move(v[0]).partition({16})).sync();
  auto [b] = increment(std::move(v[0]).partition({16})).sync();
}
