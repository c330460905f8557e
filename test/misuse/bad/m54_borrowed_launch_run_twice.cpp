// layer: flow: a launch that borrows runs twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}|will be destroyed at the end
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto op = increment(z.partition({16}));
  std::move(op).sync();
  std::move(op).sync();
}
