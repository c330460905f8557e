// SPDX-License-Identifier: Apache-2.0
// expect-error g++: destroyed or moved while a launch borrows it
// expect-error clang++-22: will be destroyed at the end of the full-expression
// expect-error clang++-14: will be destroyed at the end of the full-expression
// flags: -O2 -Wunused-result -Wunused-variable -Werror
// flags clang++-22: -Wdangling
// flags clang++-14: -Wdangling
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto* z = new Tensor<f32>(zeros());
#ifndef TILEWRIGHT_FIXED
  auto op = increment(z->partition({16}));
  delete z;
  std::move(op).sync();
#else
  increment(z->partition({16})).sync();
  delete z;
#endif
}
