// layer: run time only: a node is named by a number
// SPDX-License-Identifier: Apache-2.0
// expect: no such
// topic: graphs
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto graph = capture(d, [&] { increment(z.partition({16})).sync(); });
  const int changed[] = {3};
  graph.update(changed, [&] { increment(z.partition({16})).sync(); });
  graph.sync();
}
