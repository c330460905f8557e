// layer: run time only: whether a coroutine was spawned is known by the runtime alone
// SPDX-License-Identifier: Apache-2.0
// expect: a spawned task waits for another one
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> go(Tensor<f32> z) {
  (void)co_await increment(std::move(z).partition({16}));
  co_return 1;
}
Task<int> outer(Tensor<f32> z) {
  auto inner = spawn(go(std::move(z)));
  co_return std::move(inner).wait();
}

void misuse(Device d) { (void)spawn(outer(zeros(d))).wait(); }
