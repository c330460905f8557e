// A tensor that leaves and comes back
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/dlpack.hpp
#include "misuse.hpp"

bool correct(Device d) {
  auto z = from_dlpack<f32>(to_dlpack(ones(d)));
  return all_are(z, 1.0f);
}
