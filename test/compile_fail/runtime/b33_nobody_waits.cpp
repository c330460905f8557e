// SPDX-License-Identifier: Apache-2.0
// expect-error: wait\(\) for what is in flight
// flags: -Wunused-result -Werror

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  increment(zeros().partition({16})).start();
#else
  auto [z] = increment(zeros().partition({16})).start().wait();
#endif
}
