// SPDX-License-Identifier: Apache-2.0
// expect-error: unused variable.* .?flying
// flags: -Wunused-variable -Werror

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto flying = increment(zeros().partition({16})).start();
#ifdef TILEWRIGHT_FIXED
  auto [z] = std::move(flying).wait();
#endif
}
