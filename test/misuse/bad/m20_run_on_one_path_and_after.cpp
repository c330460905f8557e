// layer: flow: an op is run on one path, then again
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto op = increment(zeros(d).partition({16}));
  if (perhaps()) (void)std::move(op).sync();
  (void)std::move(op).sync();
}
