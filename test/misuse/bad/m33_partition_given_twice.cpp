// layer: flow: a Partition is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto p = zeros(d).partition({16});
  auto [a] = increment(std::move(p)).sync();
  auto t = std::move(p).unpartition();
  (void)t.shape();
}
