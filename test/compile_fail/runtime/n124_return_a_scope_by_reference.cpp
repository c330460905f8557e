// SPDX-License-Identifier: Apache-2.0
// expect-error: f returns a value; what a reference or pointer names could be of the scope
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  scope([&](Scope& s) -> Scope& {
    s.start(increment(z.partition({16})));
    return s;
  });
#else
  scope([&](Scope& s) { s.start(increment(z.partition({16}))); });
#endif
}
