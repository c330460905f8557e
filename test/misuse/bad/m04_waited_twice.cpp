// layer: flow: one result is waited for twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto f = increment(std::move(z).partition({16})).start();
  auto [a] = std::move(f).wait();
  auto [b] = std::move(f).wait();
}
