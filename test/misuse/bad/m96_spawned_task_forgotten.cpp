// layer: flow: one of two paths waits for a spawned task
// SPDX-License-Identifier: Apache-2.0
// expect: {unrunning}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> go(Tensor<f32> z) {
  (void)co_await increment(std::move(z).partition({16}));
  co_return 1;
}

void misuse(Device d) {
  auto running = spawn(go(zeros(d)));
  if (!perhaps()) (void)std::move(running).wait();
}
