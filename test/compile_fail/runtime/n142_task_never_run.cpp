// SPDX-License-Identifier: Apache-2.0
// expect-error: a Task does nothing until it is run
// flags: -Wunused-result -Werror
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

Task<> step() { auto [z] = co_await increment(zeros().partition({16})); }

void misuse() {
#ifndef TILEWRIGHT_FIXED
  step();
#else
  step().sync();
#endif
}
