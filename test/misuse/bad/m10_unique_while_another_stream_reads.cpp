// layer: run time only: how many owners there are is counted at run time
// SPDX-License-Identifier: Apache-2.0
// expect: {not_unique}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto s = ones(d).share();
  auto copy = s;
  auto f = twice(zeros(d).partition({16}), std::move(copy)).start_on(d.new_stream());
  auto u = std::move(s).into_unique();
  (void)std::move(f).wait();
}
