// layer: run time only: which kernels a function launches is known when it has run
// SPDX-License-Identifier: Apache-2.0
// expect: other launches than the nodes
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  auto graph = capture(d, [&] { increment(z.partition({16})).sync(); });
  const int changed[] = {0};
  graph.update(changed, [&] { twice(z.partition({16}), x.borrow()).sync(); });
  graph.sync();
}
