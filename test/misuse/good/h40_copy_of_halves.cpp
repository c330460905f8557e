// A copy of one half onto the other
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  auto [head, tail] = z.split_at(0, 32);
  increment(tail.partition({16})).sync();
  copy(head.all(), tail.borrow()).sync();
  return head.shape() == Shape{32};
}
