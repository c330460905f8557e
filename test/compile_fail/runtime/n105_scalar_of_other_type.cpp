// SPDX-License-Identifier: Apache-2.0
// expect-error: the argument's element type is not the parameter's
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  scale(z.partition({16}), 2.0, ones()).sync();
#else
  scale(z.partition({16}), 2.0f, ones()).sync();
#endif
}
