// SPDX-License-Identifier: Apache-2.0
// expect-error: look at it
// flags: -Wunused-result -Werror
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  increment(zeros().partition({16})).try_sync();
#else
  auto result = increment(zeros().partition({16})).try_sync();
  if (!result) (void)result.error();
#endif
}
