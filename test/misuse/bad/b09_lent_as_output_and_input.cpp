// layer: flow: one expression lends a name to a writer and a reader
// SPDX-License-Identifier: Apache-2.0
// expect: {overlap}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  add(z.partition({16}), z.borrow(), x.borrow()).sync();
}
