// Launches that borrow, in flight within a scope
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/scope.hpp
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto a = zeros(d);
  auto b = zeros(d);
  const auto x = ones(d);
  scope([&](Scope& s) {
    s.start(twice(a.partition({16}), x.borrow()));
    s.start(twice(b.partition({16}), x.borrow()));
  });
  return all_are(a, 2.0f) && all_are(b, 2.0f);
}
