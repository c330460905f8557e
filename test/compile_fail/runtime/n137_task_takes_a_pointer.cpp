// SPDX-License-Identifier: Apache-2.0
// expect-error: a Task.s coroutine takes no pointer
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
Task<> misuse(Shared<f32>* x) {
  auto [z, same] = co_await twice(zeros().partition({16}), *x);
#else
Task<> misuse(Shared<f32> x) {
  auto [z, same] = co_await twice(zeros().partition({16}), x);
#endif
}
