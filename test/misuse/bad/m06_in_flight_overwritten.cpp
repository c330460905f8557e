// layer: flow: a name takes new work while nobody waited for the old
// SPDX-License-Identifier: Apache-2.0
// expect: {unwaited}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto f = increment(zeros(d).partition({16})).start();
  f = increment(zeros(d).partition({16})).start();
  (void)std::move(f).wait();
}
