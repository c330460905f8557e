// Loans in a loop; one tensor as two inputs
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  for (int i = 0; i < 3; ++i) add(z.partition({16}), x.borrow(), x.borrow()).sync();
  increment(z.partition({16})).sync();
  return all_are(z, 3.0f) && all_are(x, 1.0f);
}
