// SPDX-License-Identifier: Apache-2.0
// expect-error: unused variable.* .?op
// flags: -O2 -Wunused-result -Wunused-variable -Werror
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto s = ones();
  auto op = twice(std::move(z).partition({16}), s);
#ifdef TILEWRIGHT_FIXED
  auto [a, b] = std::move(op).sync();
#endif
}
