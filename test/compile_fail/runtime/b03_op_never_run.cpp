// SPDX-License-Identifier: Apache-2.0
// expect-error: an Op does nothing until it is run
// flags: -O2 -Wunused-result -Wunused-variable -Werror
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto s = ones();
#ifndef TILEWRIGHT_FIXED
  twice(std::move(z).partition({16}), s);
#else
  auto [a, b] = twice(std::move(z).partition({16}), s).sync();
#endif
}
