// layer: flow: one expression gives a name to two ops
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: combinators
// needs: zip in tilewright/runtime
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto [a, b] = zip(increment(std::move(z).partition({16})), increment(std::move(z).partition({16}))).sync();
}
