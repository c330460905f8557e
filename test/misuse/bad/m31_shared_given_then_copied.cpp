// layer: flow: a Shared is given, then copied
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto s = ones(d).share();
  auto mine = std::move(s);
  auto other = s;
  (void)mine.shape();
  (void)other.shape();
}
