// layer: run time only: a parameter is named by a number
// SPDX-License-Identifier: Apache-2.0
// expect: changes Scalar parameters only
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  auto graph = capture(d, [&] { scale(z.partition({16}), 2.0f, x.borrow()).sync(); });
  graph.set(0, 2, 3.0f);
  graph.sync();
}
