// layer: run time only: extents are values
// SPDX-License-Identifier: Apache-2.0
// expect: a partition does not fit its tensor|refuse_partition_that|refuse_argument_of
// topic: devices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  increment(z.partition({4, 4})).sync();
}
