// layer: flow: a builder is given, then added to
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  GraphBuilder builder(d);
  auto [a] = builder.add(increment(std::move(z).partition({16})));
  auto graph = std::move(builder).build();
  auto [b] = builder.add(increment(std::move(a).partition({16})));
  graph.sync();
}
