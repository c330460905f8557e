// A graph that is replayed when its tensors are gone
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  std::optional<Tensor<f32>> z(zeros(d));
  auto graph = capture(d, [&] { increment(z->partition({16})).sync(); });
  z.reset();
  graph.sync();
  return graph.nodes() == 1;
}
