// SPDX-License-Identifier: Apache-2.0
// expect-error g++: given away before
// expect-error clang++-22: while it is in the 'consumed' state
// expect-error clang++-14: while it is in the 'consumed' state
// flags: -O2 -Werror
// flags clang++-22: -Wconsumed
// flags clang++-14: -Wconsumed

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto flying = increment(std::move(z).partition({16})).start();
#ifndef TILEWRIGHT_FIXED
  auto second = increment(std::move(z).partition({16})).start();
  auto [a] = std::move(flying).wait();
#else
  auto [a] = std::move(flying).wait();
  auto second = increment(std::move(a).partition({16})).start();
#endif
  auto [b] = std::move(second).wait();
}
