// layer: container: which elements two loans share is arithmetic
// SPDX-License-Identifier: Apache-2.0
// expect: {overlap}
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  copy(z.slice(0, 0, 40).all(), z.slice(0, 24, 64).borrow()).sync();
}
