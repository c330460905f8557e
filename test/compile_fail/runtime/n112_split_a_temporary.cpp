// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*split_at
// expect-error clang++-22: deleted (member )?function
// expect-error clang++-14: deleted (member )?function

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  auto [head, tail] = zeros().split_at(0, 32);
#else
  auto z = zeros();
  auto [head, tail] = z.split_at(0, 32);
#endif
  twice(head.partition({16}), tail.borrow()).sync();
}
