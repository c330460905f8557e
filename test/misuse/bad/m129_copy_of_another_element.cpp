// layer: types: both sides of a copy have one element type
// SPDX-License-Identifier: Apache-2.0
// expect: the same element type
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  (void)copy(std::move(z), d.zeros<i32>({64})).sync();
}
