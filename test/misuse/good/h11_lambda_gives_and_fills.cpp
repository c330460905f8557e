// A lambda that gives a name and fills it again
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  auto step = [&z] {
    auto [back] = increment(std::move(z).partition({16})).sync();
    z = std::move(back);
  };
  step();
  step();
  return all_are(z, 2.0f);
}
