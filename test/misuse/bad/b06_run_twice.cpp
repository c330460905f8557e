// layer: flow: an op is run twice in one function
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto op = twice(std::move(z).partition({16}), s);
  auto [a, u] = std::move(op).sync();
  auto [b, v] = std::move(op).sync();
}
