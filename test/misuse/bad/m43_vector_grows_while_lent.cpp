// layer: container: a vector moves what a launch borrows
// SPDX-License-Identifier: Apache-2.0
// expect: {moves_lent}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::vector<Tensor<f32>> v;
  v.push_back(zeros(d));
  auto op = increment(v[0].partition({16}));
  v.push_back(ones(d));
  std::move(op).sync();
}
