// std::tie in a loop, as -Wconsumed wants it
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) {
    auto [back] = increment(std::move(z).partition({16})).sync();
    z = std::move(back);
  }
  return all_are(z, 3.0f);
}
