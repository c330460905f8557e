// layer: container: a vector drops an op that never ran
// SPDX-License-Identifier: Apache-2.0
// expect: {unrun}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::vector<Op<std::tuple<Tensor<f32>>>> todo;
  todo.push_back(increment(zeros(d).partition({16})));
  todo.clear();
}
