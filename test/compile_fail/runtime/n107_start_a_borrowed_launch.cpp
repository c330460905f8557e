// SPDX-License-Identifier: Apache-2.0
// expect-error: a launch that borrows its arguments only runs by sync
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  increment(z.partition({16})).start();
#else
  increment(z.partition({16})).sync();
#endif
}
