// layer: types: the value of a call is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: {untasked}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> go(Tensor<f32> z) {
  (void)co_await increment(std::move(z).partition({16}));
  co_return 1;
}

void misuse(Device d) { go(zeros(d)); }
