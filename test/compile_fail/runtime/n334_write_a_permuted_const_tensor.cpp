// SPDX-License-Identifier: Apache-2.0
// expect-error: a part of a const Tensor cannot be written

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
void misuse(const Tensor<f32>& z) {
#else
void misuse(Tensor<f32>& z) {
#endif
  increment(z.permute<0>().partition({16})).sync();
}
