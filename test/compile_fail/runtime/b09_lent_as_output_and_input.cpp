// SPDX-License-Identifier: Apache-2.0
// compilers: clang++-22
// expect-error: cannot call function 'borrow' while .* 'z.to_writer' is held
// flags: -Wthread-safety-analysis -Werror
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = zeros();
#ifndef TILEWRIGHT_FIXED
  add(z.partition({16}), z.borrow(), x.borrow()).sync();
#else
  add(z.partition({16}), x.borrow(), x.borrow()).sync();
#endif
}
