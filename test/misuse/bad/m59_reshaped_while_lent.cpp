// layer: flow: a name is reshaped while a loan reads it
// SPDX-License-Identifier: Apache-2.0
// expect: {moves_lent}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto reader = z.borrow();
  auto wide = std::move(z).reshape({8, 8});
  auto y = zeros(d);
  twice(y.partition({16}), std::move(reader)).sync();
  (void)wide.shape();
}
