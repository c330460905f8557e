// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*Scope
// expect-error clang++-22: deleted constructor
// expect-error clang++-14: deleted constructor
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  scope([&](Scope& s) {
#ifndef TILEWRIGHT_FIXED
    static Scope kept = std::move(s);
#endif
    s.start(increment(z.partition({16})));
  });
}
