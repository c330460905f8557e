// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*permute
// expect-error clang++-22: deleted (member )?function
// expect-error clang++-14: deleted (member )?function

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  increment(zeros().permute<0>().partition({16})).sync();
#else
  auto z = zeros();
  increment(z.permute<0>().partition({16})).sync();
#endif
}
