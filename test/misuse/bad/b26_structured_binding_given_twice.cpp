// layer: flow: a structured binding is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto [a] = increment(std::move(z).partition({16})).sync();
  auto t = std::move(a);
  auto u = std::move(a);
  (void)t.shape();
  (void)u.shape();
}
