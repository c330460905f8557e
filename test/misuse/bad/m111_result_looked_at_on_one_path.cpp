// layer: flow: one of two paths looks at a result
// SPDX-License-Identifier: Apache-2.0
// expect: {unseen}
// topic: failure
// needs: tilewright/runtime/result.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto result = increment(zeros(d).partition({16})).try_sync();
  if (!perhaps() && result) return;
}
