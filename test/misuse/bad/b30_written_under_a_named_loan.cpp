// layer: flow: a name is lent to a writer while a named loan reads it
// SPDX-License-Identifier: Apache-2.0
// expect: {overlap}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto y = zeros(d);
  auto reader = z.borrow();
  increment(z.partition({16})).sync();
  twice(y.partition({16}), std::move(reader)).sync();
}
