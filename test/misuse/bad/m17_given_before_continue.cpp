// layer: flow: a path of a loop goes on without filling a name again
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) {
    auto [a] = increment(std::move(z).partition({16})).sync();
    if (perhaps()) continue;
    z = std::move(a);
  }
}
