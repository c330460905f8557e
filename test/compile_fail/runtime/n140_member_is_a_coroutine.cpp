// SPDX-License-Identifier: Apache-2.0
// expect-error: it is a free function, not a lambda or a member
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

struct layer {
  Shared<f32> weights;
#ifndef TILEWRIGHT_FIXED
  Task<> forward() { auto [z, same] = co_await twice(zeros().partition({16}), weights); }
#else
  static Task<> forward(Shared<f32> weights) { auto [z, same] = co_await twice(zeros().partition({16}), weights); }
#endif
};
