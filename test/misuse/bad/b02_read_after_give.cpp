// layer: flow: a name is read after it was given in the same function
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto op = twice(std::move(z).partition({16}), s);
  (void)z.to_host();
  std::move(op).discard();
}
