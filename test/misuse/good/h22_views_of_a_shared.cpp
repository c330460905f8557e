// Views of a Shared outlive it
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto s = ones(d).share();
  auto view = s.slice(0, 0, 64).reshape({64});
  s = zeros(d).share();
  auto [z, v] = twice(zeros(d).partition({16}), view).sync();
  return all_are(z, 2.0f) && all_are(s, 0.0f);
}
