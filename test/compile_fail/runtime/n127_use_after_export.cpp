// SPDX-License-Identifier: Apache-2.0
// expect-error g++: given away before
// expect-error clang++-22: 'z' while it is in the 'consumed' state
// expect-error clang++-14: 'z' while it is in the 'consumed' state
// flags: -O2 -Werror
// flags clang++-22: -Wconsumed
// flags clang++-14: -Wconsumed
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void* misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  void* given = to_dlpack(std::move(z));
  increment(z.partition({16})).sync();
#else
  increment(z.partition({16})).sync();
  void* given = to_dlpack(std::move(z));
#endif
  return given;
}
