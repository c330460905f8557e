// SPDX-License-Identifier: Apache-2.0
// expect-error: names each axis of the tensor once, from 0 on
// expect-error: n331_permute_names_an_axis_twice\.cpp:14:

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto y = std::move(z).reshape({8, 8});
#ifndef TILEWRIGHT_FIXED
  (void)y.permute<1, 1>();
#else
  (void)y.permute<1, 0>();
#endif
}
