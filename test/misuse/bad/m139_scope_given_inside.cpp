// layer: run time only: which loans a scope holds is known when they were started
// SPDX-License-Identifier: Apache-2.0
// expect: {moves_lent}
// topic: scopes
// needs: tilewright/runtime/scope.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  scope([&](Scope& s) {
    s.start(increment(z.partition({16})));
    (void)increment(std::move(z).partition({16})).sync();
  });
}
