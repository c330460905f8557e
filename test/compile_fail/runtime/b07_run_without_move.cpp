// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*sync
// expect-error clang++-22: call to deleted member function 'sync'
// expect-error clang++-14: call to deleted member function 'sync'
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto s = ones();
  auto op = twice(std::move(z).partition({16}), s);
#ifndef TILEWRIGHT_FIXED
  auto [a, b] = op.sync();
#else
  auto [a, b] = std::move(op).sync();
#endif
}
