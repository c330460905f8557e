// An early return before and after a tensor is given
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool run(Device d, bool stops) {
  auto z = zeros(d);
  if (stops) return all_are(z, 0.0f);
  auto [back] = increment(std::move(z).partition({16})).sync();
  return all_are(back, 1.0f);
}

REHEARSABLE bool correct(Device d) { return run(d, true) && run(d, false); }
