// layer: types: a HostBuffer has no copy
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: host memory
// needs: tilewright/runtime/host_buffer.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto b = d.host_buffer<f32>({64});
  auto c = b;
  (void)c.shape();
}
