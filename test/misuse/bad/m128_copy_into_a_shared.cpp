// layer: types: a Shared is not written
// SPDX-License-Identifier: Apache-2.0
// expect: copy\(to, from\) writes
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  (void)copy(s, std::move(z)).sync();
}
