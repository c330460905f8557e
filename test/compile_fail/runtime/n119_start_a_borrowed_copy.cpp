// SPDX-License-Identifier: Apache-2.0
// expect-error: only runs by sync
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  copy(z.all(), ones()).start();
#else
  (void)copy(z.all(), ones()).sync();
#endif
}
