// SPDX-License-Identifier: Apache-2.0
// expect-error: to go on with an op, use then\(\)
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  const auto more = [](auto given) { return increment(std::move(std::get<0>(given)).partition({16})); };
#ifndef TILEWRIGHT_FIXED
  increment(zeros().partition({16})).map(more).discard();
#else
  increment(zeros().partition({16})).then(more).discard();
#endif
}
