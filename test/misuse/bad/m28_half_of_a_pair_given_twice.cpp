// layer: flow: the first of a pair is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto p = std::pair(zeros(d), ones(d));
  (void)increment(std::move(p.first).partition({16})).sync();
  (void)increment(std::move(p.first).partition({16})).sync();
}
