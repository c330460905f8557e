// SPDX-License-Identifier: Apache-2.0
// expect-error: a Task.s coroutine takes its parameters by value
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
Task<> misuse(const Shared<f32>& x) {
#else
Task<> misuse(Shared<f32> x) {
#endif
  auto [z, same] = co_await twice(zeros().partition({16}), x);
}
