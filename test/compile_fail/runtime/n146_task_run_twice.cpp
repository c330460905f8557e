// SPDX-License-Identifier: Apache-2.0
// expect-error: while it is in the 'consumed' state
// flags: -Wconsumed -Werror
// compilers: clang++-22 clang++-14
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

Task<int> step() { co_return 1; }

void misuse() {
  auto task = step();
  (void)std::move(task).sync();
#ifdef TILEWRIGHT_FIXED
  task = step();
#endif
  (void)std::move(task).sync();
}
