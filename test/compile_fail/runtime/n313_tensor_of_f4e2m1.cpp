// SPDX-License-Identifier: Apache-2.0
// expect-error: a tensor of such packed numbers holds u8
#include "support/misuse_kernels.hpp"

using namespace tilewright;

void misuse(const Device& device) {
#ifndef TILEWRIGHT_FIXED
  auto x = device.zeros<f4e2m1>({4, 8});
#else
  auto x = device.zeros<u8>({4, 4});
#endif
  (void)x;
}
