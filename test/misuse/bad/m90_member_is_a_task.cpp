// layer: types: a Task is a free function
// SPDX-License-Identifier: Apache-2.0
// expect: free function
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

struct Model {
  Tensor<f32> z;
  Task<int> go() {
    (void)co_await increment(std::move(z).partition({16}));
    co_return 1;
  }
};

void misuse(Device d) {
  Model m{zeros(d)};
  (void)m.go().sync();
}
