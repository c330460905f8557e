// layer: run time only: extents are values
// SPDX-License-Identifier: Apache-2.0
// expect: a tensor's extent is negative
// topic: devices
#include "misuse.hpp"

void misuse(Device d) {
  auto t = d.zeros<f32>({-1});
  (void)t.shape();
}
