// SPDX-License-Identifier: Apache-2.0
// expect-error: zip\(\) uses its ops up: give each by std::move
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto one = increment(zeros().partition({16}));
#ifndef TILEWRIGHT_FIXED
  zip(one, increment(zeros().partition({16})));
#else
  (void)zip(std::move(one), increment(zeros().partition({16}))).sync();
#endif
}
