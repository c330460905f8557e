// layer: types: a captured function returns nothing
// SPDX-License-Identifier: Apache-2.0
// expect: the function given to capture
// topic: graphs
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto graph = capture(d, [&] { return increment(std::move(z).partition({16})); });
  graph.sync();
}
