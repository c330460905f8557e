// layer: flow: one of two paths of a function forgets the op
// SPDX-License-Identifier: Apache-2.0
// expect: {unrun}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto op = twice(std::move(z).partition({16}), s);
  if (!perhaps()) (void)std::move(op).sync();
}
