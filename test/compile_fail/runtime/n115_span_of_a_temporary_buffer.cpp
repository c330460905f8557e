// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*span
// expect-error clang++-22: deleted (member )?function
// expect-error clang++-14: deleted (member )?function
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
#ifndef TILEWRIGHT_FIXED
  auto values = device().host_buffer<f32>({64}).span();
#else
  auto buffer = device().host_buffer<f32>({64});
  auto values = buffer.span();
#endif
  values[0] = 1.0f;
}
