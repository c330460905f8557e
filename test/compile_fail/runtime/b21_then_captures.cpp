// SPDX-License-Identifier: Apache-2.0
// expect-error: f must not capture; pass owned state as further arguments
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto s = ones();
#ifndef TILEWRIGHT_FIXED
  auto [a, b] = increment(std::move(z).partition({16}))
                    .then([&](auto given) { return twice(std::move(std::get<0>(given)).partition({16}), s); })
                    .sync();
#else
  auto [a, b] = increment(std::move(z).partition({16}))
                    .then([](auto given, auto x) { return twice(std::move(std::get<0>(given)).partition({16}), x); }, s)
                    .sync();
#endif
}
