// SPDX-License-Identifier: Apache-2.0
// expect-error g++: given away before
// expect-error clang++-22: on a temporary object while it is in the 'consumed' state
// expect-error clang++-14: on a temporary object while it is in the 'consumed' state
// flags: -O2 -Wunused-result -Wunused-variable -Werror
// flags clang++-22: -Wconsumed
// flags clang++-14: -Wconsumed
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto s = ones();
  auto [a, b] = twice(std::move(z).partition({16}), s).sync();
#ifndef TILEWRIGHT_FIXED
  auto [c, d] = twice(std::move(z).partition({16}), s).sync();
#else
  auto [c, d] = twice(std::move(a).partition({16}), s).sync();
#endif
}
