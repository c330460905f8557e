// SPDX-License-Identifier: Apache-2.0
// expect-error: unused variable.* .?result
// flags: -Wunused-variable -Werror
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto result = increment(zeros().partition({16})).try_sync();
#ifdef TILEWRIGHT_FIXED
  auto [z] = std::move(result).value();
  (void)z.to_host();
#endif
}
