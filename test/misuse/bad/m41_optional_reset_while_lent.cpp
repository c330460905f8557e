// layer: container: an optional destroys what a launch borrows
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::optional<Tensor<f32>> some(zeros(d));
  auto op = increment(some->partition({16}));
  some.reset();
  std::move(op).sync();
}
