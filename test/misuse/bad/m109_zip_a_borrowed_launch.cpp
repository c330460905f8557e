// layer: types: a launch that borrows is no op
// SPDX-License-Identifier: Apache-2.0
// expect: only runs by sync
// topic: combinators
// needs: zip in tilewright/runtime
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  (void)zip(increment(z.partition({16})), increment(zeros(d).partition({16}))).sync();
}
