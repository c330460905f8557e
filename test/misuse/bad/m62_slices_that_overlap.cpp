// layer: container: which elements two loans share is arithmetic
// SPDX-License-Identifier: Apache-2.0
// expect: {overlap}
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  twice(z.slice(0, 0, 40).partition({8}), z.slice(0, 24, 64).borrow()).sync();
}
