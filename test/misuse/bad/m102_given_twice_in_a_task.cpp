// layer: flow: a coroutine gives its parameter twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> wrong(Tensor<f32> z) {
  (void)co_await increment(std::move(z).partition({16}));
  (void)co_await increment(std::move(z).partition({16}));
  co_return 1;
}

void misuse(Device d) { (void)wrong(zeros(d)).sync(); }
