// layer: flow: an op is started, then run
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto op = increment(std::move(z).partition({16}));
  auto f = std::move(op).start();
  auto [a] = std::move(op).sync();
  auto [b] = std::move(f).wait();
}
