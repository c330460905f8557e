// SPDX-License-Identifier: Apache-2.0
// expect-error g++: given away before
// expect-error clang++-22: 'z' while it is in the 'consumed' state
// expect-error clang++-14: 'z' while it is in the 'consumed' state
// flags: -O2 -Wunused-result -Wunused-variable -Werror
// flags clang++-22: -Wconsumed
// flags clang++-14: -Wconsumed
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto s = ones();
  auto op = twice(std::move(z).partition({16}), s);
#ifndef TILEWRIGHT_FIXED
  (void)z.to_host();
  std::move(op).discard();
#else
  auto [a, b] = std::move(op).sync();
  (void)a.to_host();
#endif
}
