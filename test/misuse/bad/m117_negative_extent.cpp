// layer: run time only: extents are values
// SPDX-License-Identifier: Apache-2.0
// expect: a tensor's extent is negative|refuse_negative_extent
// topic: devices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto t = d.zeros<f32>({-1});
  (void)t.shape();
}
