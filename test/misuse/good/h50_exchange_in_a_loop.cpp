// std::exchange in a loop, as -Wconsumed wants it
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) {
    auto old = std::move(z);
    z = ones(d);
    (void)old.shape();
  }
  return all_are(z, 1.0f);
}
