// layer: types: a temporary has no span
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: host memory
// needs: tilewright/runtime/host_buffer.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto values = d.host_buffer<f32>({64}).span();
  (void)values.size();
}
