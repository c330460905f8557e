// layer: flow: a loop gives a name and never fills it again
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) {
    auto [a] = increment(std::move(z).partition({16})).sync();
  }
}
