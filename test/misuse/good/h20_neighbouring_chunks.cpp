// A part from its neighbour, in one expression
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = ones(d);
  {
    auto parts = z.chunks(0, 16);
    for (index_t i = 1; i < parts.size(); ++i) twice(parts[i].partition({16}), parts[i - 1].borrow()).sync();
  }
  return z.shape() == Shape{64};
}
