// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*Scope
// expect-error clang++-22: overload resolution selected deleted operator '&'
// expect-error clang++-14: overload resolution selected deleted operator '&'
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

Scope* kept;

void misuse() {
  auto z = zeros();
  scope([&](Scope& s) {
#ifndef TILEWRIGHT_FIXED
    kept = &s;
#endif
    s.start(increment(z.partition({16})));
  });
}
