// SPDX-License-Identifier: Apache-2.0
// expect-error: a Scalar parameter takes a number
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  scale(z.partition({16}), ones(), ones()).sync();
#else
  scale(z.partition({16}), 2.0f, ones()).sync();
#endif
}
