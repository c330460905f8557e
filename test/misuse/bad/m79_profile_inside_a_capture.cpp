// layer: run time only: whether a function runs inside a capture is known by the runtime alone
// SPDX-License-Identifier: Apache-2.0
// expect: {inside_capture}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto inner = capture(d, [&] { increment(z.partition({16})).sync(); });
  auto outer = capture(d, [&] { (void)inner.profile(1); });
  outer.sync();
}
