// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*to_dlpack
// expect-error clang++-22: call to deleted function 'to_dlpack'
// expect-error clang++-14: call to deleted function 'to_dlpack'
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void* misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  return to_dlpack(z);
#else
  return to_dlpack(std::move(z));
#endif
}
