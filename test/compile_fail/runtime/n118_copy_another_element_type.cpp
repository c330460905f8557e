// SPDX-License-Identifier: Apache-2.0
// expect-error: both have the same element type
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  copy(device().host_buffer<i32>({64}), ones()).sync();
#else
  (void)copy(device().host_buffer<f32>({64}), ones()).sync();
#endif
}
