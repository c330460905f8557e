// A path that gives a tensor fills it again
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  if (perhaps()) {
    auto [back] = increment(std::move(z).partition({16})).sync();
    z = std::move(back);
  }
  increment(z.partition({16})).sync();
  return all_are(z, 2.0f);
}
