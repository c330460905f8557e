// layer: types: copy() takes no named tensor
// SPDX-License-Identifier: Apache-2.0
// expect: copy\(\) takes no named
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  (void)copy(std::move(z), x).sync();
}
