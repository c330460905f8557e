// layer: flow: one call gives a name and reads it, in an order that C++ leaves open
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto [y, x] = twice(zeros(z.device()).partition({16}), std::move(z).share()).sync();
}
