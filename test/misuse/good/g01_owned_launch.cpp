// A launch that owns its output and shares its inputs
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto x = ones(d).share();
  auto y = ones(d).share();
  auto [z, x2, y2] = add(zeros(d).partition({16}), x, y).sync();
  return all_are(z, 2.0f);
}
