// SPDX-License-Identifier: Apache-2.0
// expect-error: a Task.s coroutine takes no view
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
Task<> misuse(std::span<const f32> values) {
#else
Task<> misuse(std::vector<f32> values) {
#endif
  auto [z] = co_await increment(device().from_host(values, {64}).partition({16}));
}
