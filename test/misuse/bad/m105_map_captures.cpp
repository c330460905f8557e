// layer: types: a function given to map() must be empty
// SPDX-License-Identifier: Apache-2.0
// expect: must not capture
// topic: combinators
// needs: map in tilewright/runtime/op.hpp
#include "misuse.hpp"

void misuse(Device d) {
  int calls = 0;
  (void)increment(zeros(d).partition({16})).map([&](auto) { return ++calls; }).sync();
}
