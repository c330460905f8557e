// layer: flow: a graph is given, then replayed
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto graph = capture(d, [&] { increment(z.partition({16})).sync(); });
  auto other = std::move(graph);
  graph.sync();
  other.sync();
}
