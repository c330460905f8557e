// layer: flow: one of two paths gives a name that is read afterwards
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  if (perhaps()) {
    auto [a] = increment(std::move(z).partition({16})).sync();
  }
  (void)z.to_host();
}
