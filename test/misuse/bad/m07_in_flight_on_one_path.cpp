// layer: flow: one of two paths waits
// SPDX-License-Identifier: Apache-2.0
// expect: {unwaited}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto f = increment(zeros(d).partition({16})).start();
  if (!perhaps()) (void)std::move(f).wait();
}
