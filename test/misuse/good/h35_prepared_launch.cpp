// A prepared launch that runs often and gives back
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto prepared = prepare(increment(zeros(d).partition({16})));
  for (int i = 0; i < 4; ++i) prepared.enqueue();
  prepared.sync();
  auto [z] = std::move(prepared).finish();
  return all_are(z, 5.0f);
}
