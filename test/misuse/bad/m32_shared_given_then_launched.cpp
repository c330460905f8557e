// layer: flow: a Shared is given, then read by a launch
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto s = ones(d).share();
  auto [y, mine] = twice(zeros(d).partition({16}), std::move(s)).sync();
  auto [w, same] = twice(zeros(d).partition({16}), s).sync();
}
