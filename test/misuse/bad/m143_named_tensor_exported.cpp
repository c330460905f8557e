// layer: types: a Tensor is exported by giving it
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}|{construct}
// topic: exchange
// needs: tilewright/runtime/dlpack.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto managed = to_dlpack(z);
  (void)managed;
}
