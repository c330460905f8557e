// A lambda by reference that lends
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  auto step = [&z] { increment(z.partition({16})).sync(); };
  for (int i = 0; i < 3; ++i) step();
  return all_are(z, 3.0f);
}
