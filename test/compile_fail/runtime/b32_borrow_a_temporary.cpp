// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*borrow
// expect-error clang++-22: deleted (member )?function
// expect-error clang++-14: deleted (member )?function

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  twice(z.partition({16}), zeros().borrow()).sync();
#else
  auto x = zeros();
  twice(z.partition({16}), x.borrow()).sync();
#endif
}
