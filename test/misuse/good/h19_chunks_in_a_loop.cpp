// Every part of a tensor, one after the other
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (auto part : z.chunks(0, 16)) increment(part.partition({16})).sync();
  return all_are(z, 1.0f);
}
