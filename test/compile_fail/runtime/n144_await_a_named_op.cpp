// SPDX-License-Identifier: Apache-2.0
// expect-error: given up by std::move
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

Task<> misuse() {
  auto op = increment(zeros().partition({16}));
#ifndef TILEWRIGHT_FIXED
  co_await op;
#else
  auto [z] = co_await std::move(op);
#endif
}
