// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*partition
// expect-error clang++-22: call to deleted member function 'partition'
// expect-error clang++-14: call to deleted member function 'partition'
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  const auto& r = z;
#else
  auto& r = z;
#endif
  increment(r.partition({16})).sync();
}
