// SPDX-License-Identifier: Apache-2.0
// expect-error: then\(\) after map\(\)
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  const auto more = [](auto given) { return increment(std::move(std::get<0>(given)).partition({16})); };
  const auto read = [](auto given) { return std::move(given); };
#ifndef TILEWRIGHT_FIXED
  (void)increment(zeros().partition({16})).map(read).then(more).sync();
#else
  (void)increment(zeros().partition({16})).then(more).map(read).sync();
#endif
}
