// SPDX-License-Identifier: Apache-2.0
// expect-error g++: was given away before
// expect-error clang++-22: 'buffer' while it is in the 'consumed' state
// expect-error clang++-14: 'buffer' while it is in the 'consumed' state
// flags: -O2 -Wunused-result -Wunused-variable -Werror
// flags clang++-22: -Wconsumed
// flags clang++-14: -Wconsumed
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto buffer = device().host_buffer<f32>({64});
  auto flying = copy(std::move(buffer), ones()).start();
#ifndef TILEWRIGHT_FIXED
  buffer.span()[0] = 1.0f;
#endif
  auto [read, x] = std::move(flying).wait();
  read.span()[0] = 1.0f;
}
