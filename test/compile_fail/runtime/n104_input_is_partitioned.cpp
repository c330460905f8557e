// SPDX-License-Identifier: Apache-2.0
// expect-error: an In parameter takes a whole tensor to read
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = zeros();
#ifndef TILEWRIGHT_FIXED
  twice(z.partition({16}), x.partition({16})).sync();
#else
  twice(z.partition({16}), x.borrow()).sync();
#endif
}
