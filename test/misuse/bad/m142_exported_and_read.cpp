// layer: flow: a name is exported, then read
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: exchange
// needs: tilewright/runtime/dlpack.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto managed = to_dlpack(std::move(z));
  (void)z.to_host();
  (void)from_dlpack<f32>(std::move(managed)).shape();
}
