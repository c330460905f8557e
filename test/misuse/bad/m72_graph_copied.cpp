// layer: types: a Graph has no copy
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: graphs
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto graph = capture(d, [&] { increment(z.partition({16})).sync(); });
  auto other = graph;
  other.sync();
}
