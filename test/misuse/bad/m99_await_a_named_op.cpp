// layer: types: co_await takes an op that is given up
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}|given up
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> wrong(Tensor<f32> z) {
  auto op = increment(std::move(z).partition({16}));
  (void)co_await op;
  co_return 1;
}

void misuse(Device d) { (void)wrong(zeros(d)).sync(); }
