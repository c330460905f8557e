// layer: types: a Task is no lambda that captures
// SPDX-License-Identifier: Apache-2.0
// expect: {task_parameters}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto co = [&]() -> Task<int> {
    (void)co_await increment(std::move(z).partition({16}));
    co_return 1;
  };
  (void)co().sync();
}
