// A graph of launches that borrow; the tensor is read between replays
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  auto graph = capture(d, [&] {
    add(z.partition({16}), x.borrow(), x.borrow()).sync();
    increment(x.partition({16})).sync();
  });
  graph.sync();
  const bool first = all_are(z, 2.0f);
  graph.sync();
  return first && all_are(z, 4.0f);
}
