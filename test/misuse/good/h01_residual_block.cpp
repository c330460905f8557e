// A residual block: two launches that borrow, one sum
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto x = ones(d);
  auto hidden = zeros(d);
  auto sum = zeros(d);
  twice(hidden.partition({16}), x.borrow()).sync();
  add(sum.partition({16}), hidden.borrow(), x.borrow()).sync();
  return all_are(sum, 3.0f);
}
