// layer: flow: a name is given twice in one function
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto [a, u] = twice(std::move(z).partition({16}), s).sync();
  auto [b, v] = twice(std::move(z).partition({16}), s).sync();
}
