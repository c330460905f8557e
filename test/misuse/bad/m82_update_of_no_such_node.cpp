// layer: run time only: a node is named by a number
// SPDX-License-Identifier: Apache-2.0
// expect: no such|refuse_node_that_the_graph_lacks
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto graph = capture(d, [&] { increment(z.partition({16})).sync(); });
  const int changed[] = {3};
  graph.update(changed, [&] { increment(z.partition({16})).sync(); });
  graph.sync();
}
