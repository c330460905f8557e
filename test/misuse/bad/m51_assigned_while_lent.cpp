// layer: flow: a name gets another tensor while a launch borrows its own
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto op = increment(z.partition({16}));
  z = ones(d);
  std::move(op).sync();
}
