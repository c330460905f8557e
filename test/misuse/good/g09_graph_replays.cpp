// A chain in a graph, replayed
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto x = ones(d).share();
  auto z = zeros(d);
  GraphBuilder builder(d);
  auto [y, s] = builder.add(twice(std::move(z).partition({16}), x));
  auto [again] = builder.add(increment(std::move(y).partition({16})));
  Graph graph = std::move(builder).build();
  for (int i = 0; i < 3; ++i) graph.sync();
  return all_are(again, 3.0f);
}
