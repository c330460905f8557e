// SPDX-License-Identifier: Apache-2.0
// expect-error: names each axis of the tensor once, from 0 on

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse(const Shared<f32>& x) {
#ifndef TILEWRIGHT_FIXED
  (void)x.permute<0, 2>();
#else
  (void)x.permute<1, 0>();
#endif
}
