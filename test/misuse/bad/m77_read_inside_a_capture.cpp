// layer: run time only: whether a function runs inside a capture is known by the runtime alone
// SPDX-License-Identifier: Apache-2.0
// expect: {inside_capture}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto graph = capture(d, [&] {
    increment(z.partition({16})).sync();
    (void)z.to_host();
  });
  graph.sync();
}
