// SPDX-License-Identifier: Apache-2.0
// expect-error: a launch takes no named Tensor: give it
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = zeros();
#ifndef TILEWRIGHT_FIXED
  twice(z.partition({16}), x).sync();
#else
  twice(z.partition({16}), x.borrow()).sync();
#endif
}
