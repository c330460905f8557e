// Results tied to the names they came from, in a loop
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto p = zeros(d).partition({16});
  auto x = ones(d).share();
  for (int i = 0; i < 2; ++i) {
    auto z = zeros(d);
    std::tie(z, x) = twice(std::move(p), x).sync();
    p = std::move(z).partition({16});
  }
  auto r = std::move(p).unpartition();
  return all_are(r, 2.0f);
}
