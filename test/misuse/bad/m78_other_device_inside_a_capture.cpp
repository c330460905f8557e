// layer: run time only: a launch carries its device as a value
// SPDX-License-Identifier: Apache-2.0
// expect: {inside_capture}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto y = zeros(other_device());
  auto graph = capture(d, [&] {
    increment(z.partition({16})).sync();
    increment(y.partition({16})).sync();
  });
  graph.sync();
}
