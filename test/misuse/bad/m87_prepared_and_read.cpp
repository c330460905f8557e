// layer: flow: a name is read while a prepared launch owns it
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto prepared = prepare(increment(std::move(z).partition({16})));
  prepared.sync();
  (void)z.to_host();
}
