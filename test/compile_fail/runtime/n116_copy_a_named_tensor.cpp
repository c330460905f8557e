// SPDX-License-Identifier: Apache-2.0
// expect-error: takes no named Tensor or HostBuffer
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = zeros();
#ifndef TILEWRIGHT_FIXED
  copy(z, x).sync();
#else
  copy(z.all(), x.borrow()).sync();
#endif
}
