// layer: flow: a function returns a slice of its local
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE TensorSlice<f32> part_of_local(Device d) {
  auto local = ones(d);
  return local.slice(0, 0, 64);
}

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  twice(z.partition({16}), part_of_local(d).borrow()).sync();
}
