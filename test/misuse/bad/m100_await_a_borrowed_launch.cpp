// layer: types: a launch that borrows is no awaitable
// SPDX-License-Identifier: Apache-2.0
// expect: only runs by sync
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> wrong(Tensor<f32> z) {
  (void)co_await increment(z.partition({16}));
  co_return 1;
}

void misuse(Device d) { (void)wrong(zeros(d)).sync(); }
