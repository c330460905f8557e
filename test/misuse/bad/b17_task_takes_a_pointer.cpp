// layer: types: the parameters of a Task are values
// SPDX-License-Identifier: Apache-2.0
// expect: {task_parameters}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> look(const Tensor<f32>* t) { co_return static_cast<int>(t->to_host()[0]); }

void misuse(Device d) {
  auto z = zeros(d);
  std::move(*std::make_unique<Task<int>>(look(&z))).sync();
}
