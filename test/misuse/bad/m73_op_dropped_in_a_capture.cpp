// layer: types: the value of a call is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: {unrun}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto graph = capture(d, [&] { increment(std::move(z).partition({16})); });
  graph.sync();
}
