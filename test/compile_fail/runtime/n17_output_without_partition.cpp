// SPDX-License-Identifier: Apache-2.0
// expect-error: an Out, InOut, Accum or Scatter parameter takes a partition of a tensor
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = ones();
#ifndef TILEWRIGHT_FIXED
  auto [a, b] = twice(std::move(z), x).sync();
#else
  auto [a, b] = twice(std::move(z).partition({16}), x).sync();
#endif
}
