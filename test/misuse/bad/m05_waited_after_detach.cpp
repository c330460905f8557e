// layer: flow: what was detached is waited for
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto f = increment(std::move(z).partition({16})).start();
  std::move(f).detach();
  auto [a] = std::move(f).wait();
}
