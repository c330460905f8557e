// SPDX-License-Identifier: Apache-2.0
// compilers: clang++-22 clang++-14
// expect-error: 'z' while it is in the 'consumed' state
// flags: -Wconsumed -Werror
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = zeros();
#ifndef TILEWRIGHT_FIXED
  auto [a] = add(std::move(z).partition({16}), z.borrow(), x.borrow()).sync();
#else
  auto [a] = add(std::move(z).partition({16}), x.borrow(), x.borrow()).sync();
#endif
}
