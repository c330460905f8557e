// A correct program that -Wconsumed refuses: std::tie in a loop
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) std::tie(z) = increment(std::move(z).partition({16})).sync();
  return all_are(z, 3.0f);
}
