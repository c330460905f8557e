// std::swap in a loop, as -Wconsumed wants it
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto a = ones(d);
  auto b = zeros(d);
  for (int i = 0; i < 3; ++i) {
    twice(b.partition({16}), a.borrow()).sync();
    swap(a, b);
  }
  return all_are(a, 8.0f);
}
