// Both halves of a tensor in one launch
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = ones(d);
  auto [head, tail] = z.split_at(0, 32);
  twice(head.partition({16}), tail.borrow()).sync();
  twice(tail.partition({16}), head.borrow()).sync();
  return z.shape() == Shape{64};
}
