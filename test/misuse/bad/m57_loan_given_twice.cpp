// layer: flow: a named loan is given to two launches
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto writer = z.partition({16});
  increment(std::move(writer)).sync();
  increment(std::move(writer)).sync();
}
