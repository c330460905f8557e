// layer: run time only: whether work failed is known when it has run
// SPDX-License-Identifier: Apache-2.0
// expect: {not_failed}
// topic: failure
// needs: tilewright/runtime/result.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto result = increment(zeros(d).partition({16})).try_sync();
  const error& failure = result.error();
  (void)failure;
}
