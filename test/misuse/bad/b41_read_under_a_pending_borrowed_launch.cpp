// layer: flow: a name is read while a named launch that writes it has not run
// SPDX-License-Identifier: Apache-2.0
// expect: {lent_to_writer}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto op = increment(z.partition({16}));
  (void)z.to_host();
  std::move(op).sync();
}
