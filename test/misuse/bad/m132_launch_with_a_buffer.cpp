// layer: types: a kernel takes no buffer
// SPDX-License-Identifier: Apache-2.0
// expect: takes a whole tensor to read
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto b = d.host_buffer<f32>({64});
  (void)twice(std::move(z).partition({16}), std::move(b)).sync();
}
