// layer: flow: a name is given to a task, then read
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
  auto z = zeros(d);
  auto task = go(std::move(z));
  (void)z.to_host();
  (void)std::move(task).sync();
}
