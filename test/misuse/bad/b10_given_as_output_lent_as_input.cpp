// layer: flow: one expression gives a name and lends it
// SPDX-License-Identifier: Apache-2.0
// expect: {given}|{moves_lent}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  auto [a] = add(std::move(z).partition({16}), z.borrow(), x.borrow()).sync();
}
