// layer: flow: a buffer is given to two copies
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  auto b = d.host_buffer<f32>({64});
  auto [a, same] = copy(std::move(z), std::move(b)).sync();
  auto [c, again] = copy(std::move(x), std::move(b)).sync();
}
