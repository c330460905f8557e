// layer: flow: a name is given while a slice of it has a name
// SPDX-License-Identifier: Apache-2.0
// expect: {moves_lent}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto part = z.slice(0, 0, 16);
  auto [a] = increment(std::move(z).partition({16})).sync();
  increment(part.partition({16})).sync();
}
