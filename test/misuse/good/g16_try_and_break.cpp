// Moves inside try, a loop that breaks, an early return
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  auto z = zeros(d);
  int i = 0;
  while (true) {
    if (i == 3) break;
    try {
      auto [back] = increment(std::move(z).partition({16})).sync();
      z = std::move(back);
    } catch (const error&) {
      return false;
    }
    ++i;
  }
  return all_are(z, 3.0f);
}
