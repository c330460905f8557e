// SPDX-License-Identifier: Apache-2.0
// expect-error: wait\(\) for a spawned task
// flags: -Wunused-result -Werror
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

Task<> step() { auto [z] = co_await increment(zeros().partition({16})); }

void misuse() {
#ifndef TILEWRIGHT_FIXED
  spawn(step());
#else
  spawn(step()).wait();
#endif
}
