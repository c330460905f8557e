// SPDX-License-Identifier: Apache-2.0
// expect-error: a launch that borrows its arguments only runs by sync\(\)
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

Task<> misuse(Tensor<f32> z) {
#ifndef TILEWRIGHT_FIXED
  co_await increment(z.partition({16}));
#else
  increment(z.partition({16})).sync();
  co_return;
#endif
}
