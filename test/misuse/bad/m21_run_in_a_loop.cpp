// layer: flow: a loop runs one op each time
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto op = increment(zeros(d).partition({16}));
  for (int i = 0; i < 2; ++i) (void)std::move(op).sync();
}
