// layer: run time only: an axis is a value
// SPDX-License-Identifier: Apache-2.0
// expect: slice of an axis that the tensor lacks|refuse_axis_that_the_tensor_lacks
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  increment(z.slice(1, 0, 1).partition({1})).sync();
}
