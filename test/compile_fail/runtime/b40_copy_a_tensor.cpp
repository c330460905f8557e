// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function
// expect-error clang++-22: call to deleted constructor
// expect-error clang++-14: call to deleted constructor

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  auto copy = z;
#else
  auto copy = device().from_host(z.to_host(), z.shape());
#endif
  (void)copy.shape();
}
