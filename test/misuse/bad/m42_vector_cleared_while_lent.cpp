// layer: container: a vector destroys what a launch borrows
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::vector<Tensor<f32>> v;
  v.push_back(zeros(d));
  auto op = increment(v[0].partition({16}));
  v.clear();
  std::move(op).sync();
}
