// A graph whose number changes between replays
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  auto graph = capture(d, [&] { scale(z.partition({16}), 2.0f, x.borrow()).sync(); });
  graph.sync();
  const bool first = all_are(z, 2.0f);
  graph.set(0, 1, 5.0f);
  graph.sync();
  return first && all_are(z, 5.0f);
}
