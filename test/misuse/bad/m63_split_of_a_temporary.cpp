// layer: types: a temporary is not lent
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto [head, tail] = zeros(d).split_at(0, 32);
  twice(head.partition({16}), tail.borrow()).sync();
}
