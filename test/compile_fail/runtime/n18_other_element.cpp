// SPDX-License-Identifier: Apache-2.0
// expect-error: the argument's element type is not the parameter's
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  auto x = device().full<f16>({64}, f16(1.0f)).share();
#else
  auto x = ones();
#endif
  twice(z.partition({16}), x).sync();
}
