// layer: container: a vector drops spawned tasks
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
  std::vector<Running<int>> tasks;
  tasks.push_back(spawn(go(zeros(d))));
  tasks.clear();
}
