// A copy that borrows both
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  const auto x = ones(d);
  copy(z.all(), x.borrow()).sync();
  return all_are(z, 1.0f);
}
