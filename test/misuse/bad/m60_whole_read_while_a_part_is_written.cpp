// layer: container: which elements two loans share is arithmetic
// SPDX-License-Identifier: Apache-2.0
// expect: {overlap}
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto [head, tail] = z.split_at(0, 32);
  twice(head.partition({16}), z.borrow()).sync();
  (void)tail.shape();
}
