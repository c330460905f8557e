// layer: types: sync() is for ops that are given up
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto op = twice(std::move(z).partition({16}), s);
  auto [a, u] = op.sync();
}
