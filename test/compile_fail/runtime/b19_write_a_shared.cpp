// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*partition
// expect-error clang++-22: attempt to use a deleted function
// expect-error clang++-14: attempt to use a deleted function
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  auto s = ones();
  increment(s.partition({16})).sync();
#else
  auto s = ones().into_unique();
  increment(s.partition({16})).sync();
#endif
}
