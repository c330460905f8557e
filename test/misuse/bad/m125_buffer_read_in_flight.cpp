// layer: flow: a name is read while its copy is in flight
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto b = d.host_buffer<f32>({64});
  auto f = copy(std::move(z), std::move(b)).start();
  (void)b.span();
  (void)std::move(f).wait();
}
