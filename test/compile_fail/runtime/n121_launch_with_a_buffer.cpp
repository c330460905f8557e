// SPDX-License-Identifier: Apache-2.0
// expect-error: an In parameter takes a whole tensor to read
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto buffer = device().host_buffer<f32>({64});
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  (void)twice(z.partition({16}), std::move(buffer)).sync();
#else
  auto [x, same] = copy(zeros(), std::move(buffer)).sync();
  (void)twice(z.partition({16}), std::move(x)).sync();
#endif
}
