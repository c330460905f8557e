// SPDX-License-Identifier: Apache-2.0
// expect-error: nobody may write a Shared
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  copy(ones(), zeros()).sync();
#else
  (void)copy(zeros(), ones()).sync();
#endif
}
