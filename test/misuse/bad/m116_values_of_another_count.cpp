// layer: run time only: the length of a vector is a value
// SPDX-License-Identifier: Apache-2.0
// expect: the number of values is not that of the shape|refuse_count
// topic: devices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  const std::vector<f32> values(63, 0.0f);
  auto t = d.from_host(values, {64});
  (void)t.shape();
}
