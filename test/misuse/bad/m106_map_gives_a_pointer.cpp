// layer: types: map() gives a value
// SPDX-License-Identifier: Apache-2.0
// expect: could be gone
// topic: combinators
// needs: map in tilewright/runtime/op.hpp
#include "misuse.hpp"

void misuse(Device d) {
  (void)increment(zeros(d).partition({16})).map([](auto given) { return &std::get<0>(given); }).sync();
}
