// layer: types: the parameters of a Task are values
// SPDX-License-Identifier: Apache-2.0
// expect: {task_parameters}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> go(Tensor<f32>& z, Shared<f32> s) {
  (void)co_await twice(std::move(z).partition({16}), s);
  co_return 1;
}

void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto t = go(z, s);
  (void)std::move(t).sync();
}
