// layer: flow: a function returns a loan of its local
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE LentInput<f32> lend_local(Device d) {
  auto local = ones(d);
  return local.borrow();
}

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  twice(z.partition({16}), lend_local(d)).sync();
}
