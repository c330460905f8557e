// layer: run time only: which loans a scope holds is known when they were started
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: scopes
// needs: tilewright/runtime/scope.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  scope([&](Scope& s) {
    auto local = zeros(d);
    s.start(increment(local.partition({16})));
  });
}
