// layer: container: which elements two loans share is arithmetic
// SPDX-License-Identifier: Apache-2.0
// expect: {overlap}
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto parts = z.chunks(0, 16);
  twice(parts[1].partition({16}), parts[1].borrow()).sync();
}
