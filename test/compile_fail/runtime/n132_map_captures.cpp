// SPDX-License-Identifier: Apache-2.0
// expect-error: f must not capture; pass owned state as further arguments
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  const float factor = 2;
#ifndef TILEWRIGHT_FIXED
  auto first =
      increment(zeros().partition({16})).map([&](auto given) { return std::get<0>(given).to_host()[0] * factor; });
#else
  auto first = increment(zeros().partition({16}))
                   .map([](auto given, float by) { return std::get<0>(given).to_host()[0] * by; }, factor);
#endif
  (void)std::move(first).sync();
}
