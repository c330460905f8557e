// A loop that gives a tensor and gets it back
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 5; ++i) {
    auto [back] = increment(std::move(z).partition({16})).sync();
    z = std::move(back);
  }
  return all_are(z, 5.0f);
}
