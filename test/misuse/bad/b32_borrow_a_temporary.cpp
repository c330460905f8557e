// layer: types: a temporary is not lent
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto reader = ones(d).borrow();
  twice(z.partition({16}), std::move(reader)).sync();
}
