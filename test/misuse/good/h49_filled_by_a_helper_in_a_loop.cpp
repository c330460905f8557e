// A helper that fills its reference in a loop, as -Wconsumed wants it
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) {
    (void)increment(std::move(z).partition({16})).sync();
    z = zeros(d);
  }
  return all_are(z, 0.0f);
}
