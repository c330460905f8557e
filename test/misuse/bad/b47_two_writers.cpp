// layer: flow: a name is lent to two writers
// SPDX-License-Identifier: Apache-2.0
// expect: {overlap}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto first = z.partition({16});
  auto second = z.partition({16});
  increment(std::move(first)).sync();
  increment(std::move(second)).sync();
}
