// layer: container: an element is given by its index and by front()
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::vector<Tensor<f32>> v;
  v.push_back(zeros(d));
  (void)increment(std::move(v.front()).partition({16})).sync();
  (void)v[0].shape();
}
