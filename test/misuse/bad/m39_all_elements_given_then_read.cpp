// layer: container: a loop gives all elements of a vector, one is read
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::vector<Tensor<f32>> v;
  for (int i = 0; i < 3; ++i) v.push_back(zeros(d));
  for (auto& t : v) (void)increment(std::move(t).partition({16})).sync();
  (void)v[1].to_host();
}
