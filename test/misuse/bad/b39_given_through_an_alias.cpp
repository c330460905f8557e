// layer: flow: a reference to a name gives it
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto& other = z;
  auto [a] = increment(std::move(other).partition({16})).sync();
  (void)z.to_host();
}
