// SPDX-License-Identifier: Apache-2.0
// expect-error: ignoring return value.*nodiscard.*what the launch owned comes back
// flags: -Werror=unused-result
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto x = zeros();
#ifndef TILEWRIGHT_FIXED
  twice(std::move(z).partition({16}), x.borrow()).sync();
#else
  auto [back] = twice(std::move(z).partition({16}), x.borrow()).sync();
  twice(back.partition({16}), x.borrow()).sync();
#endif
}
