// layer: flow: a spawned task is waited for twice
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
  auto running = spawn(go(zeros(d)));
  (void)std::move(running).wait();
  (void)std::move(running).wait();
}
