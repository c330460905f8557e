// layer: container: a unique_ptr destroys what a launch borrows
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: lifetimes
#include "misuse.hpp"

void misuse(Device d) {
  auto p = std::make_unique<Tensor<f32>>(zeros(d));
  auto op = increment(p->partition({16}));
  p.reset();
  std::move(op).sync();
}
