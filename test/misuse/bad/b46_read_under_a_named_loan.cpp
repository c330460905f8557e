// layer: flow: a name is read while a named loan may write it
// SPDX-License-Identifier: Apache-2.0
// expect: {lent_to_writer}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto writer = z.partition({16});
  (void)z.to_host();
  (void)writer;
}
