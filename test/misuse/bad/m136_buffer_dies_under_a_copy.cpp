// layer: container: a unique_ptr destroys a buffer that a copy borrows
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto b = std::make_unique<HostBuffer<f32>>(d.host_buffer<f32>({64}));
  auto op = copy(z.all(), b->borrow());
  b.reset();
  std::move(op).sync();
}
