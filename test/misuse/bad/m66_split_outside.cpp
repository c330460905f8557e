// layer: run time only: an index is a value
// SPDX-License-Identifier: Apache-2.0
// expect: (split|slice)
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto [head, tail] = z.split_at(0, 65);
  twice(head.partition({16}), tail.borrow()).sync();
}
