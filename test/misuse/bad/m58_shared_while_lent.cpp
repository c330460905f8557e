// layer: flow: a name is shared while a launch borrows it
// SPDX-License-Identifier: Apache-2.0
// expect: {moves_lent}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto op = increment(z.partition({16}));
  auto s = std::move(z).share();
  std::move(op).sync();
  (void)s.shape();
}
