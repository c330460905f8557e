// layer: run time only: an index is a value
// SPDX-License-Identifier: Apache-2.0
// expect: a slice is out of range|refuse_slice_out_of_range
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  increment(z.slice(0, 10, 70).partition({10})).sync();
}
