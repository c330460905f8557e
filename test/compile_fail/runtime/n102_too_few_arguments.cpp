// SPDX-License-Identifier: Apache-2.0
// expect-error: a launch takes one argument for each parameter of the kernel
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = ones();
#ifndef TILEWRIGHT_FIXED
  add(z.partition({16}), x).sync();
#else
  add(z.partition({16}), x, x).sync();
#endif
}
