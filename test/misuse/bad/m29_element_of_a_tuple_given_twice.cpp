// layer: flow: an element of a tuple is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto given = increment(zeros(d).partition({16})).sync();
  (void)increment(std::get<0>(std::move(given)).partition({16})).sync();
  (void)increment(std::get<0>(std::move(given)).partition({16})).sync();
}
