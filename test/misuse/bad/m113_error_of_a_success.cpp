// layer: run time only: whether work failed is known when it has run
// SPDX-License-Identifier: Apache-2.0
// expect: of work that did not fail
// topic: failure
// needs: tilewright/runtime/result.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto result = increment(zeros(d).partition({16})).try_sync();
  (void)result.error().parts();
}
