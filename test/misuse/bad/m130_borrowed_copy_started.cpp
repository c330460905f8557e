// layer: types: a copy that borrows has no start()
// SPDX-License-Identifier: Apache-2.0
// expect: only runs by sync
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  (void)copy(z.all(), x.borrow()).start();
}
