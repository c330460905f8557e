// layer: flow: a task runs twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> go(Tensor<f32> z) {
  (void)co_await increment(std::move(z).partition({16}));
  co_return 1;
}

void misuse(Device d) {
  auto task = go(zeros(d));
  (void)std::move(task).sync();
  (void)std::move(task).sync();
}
