// layer: container: a lambda gives a name that it refers to
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto first = capture(d, [&] { (void)increment(std::move(z).partition({16})).sync(); });
  auto second = capture(d, [&] { (void)increment(std::move(z).partition({16})).sync(); });
  first.sync();
  second.sync();
}
