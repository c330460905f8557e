// layer: types: a Scope has no copy
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: scopes
// needs: tilewright/runtime/scope.hpp
#include "misuse.hpp"

void misuse(Device d) {
  scope([&](Scope& s) {
    auto other = s;
    (void)other;
  });
}
