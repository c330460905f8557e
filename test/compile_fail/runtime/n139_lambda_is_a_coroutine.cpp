// SPDX-License-Identifier: Apache-2.0
// expect-error: it is a free function, not a lambda or a member
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
void misuse(Shared<f32> x) {
  const auto task = [x]() -> Task<> { auto [z, same] = co_await twice(zeros().partition({16}), x); };
  task().sync();
}
#else
Task<> step(Shared<f32> x) { auto [z, same] = co_await twice(zeros().partition({16}), x); }
void misuse(Shared<f32> x) { step(x).sync(); }
#endif
