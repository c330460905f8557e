// layer: types: zip() takes ops that are given up
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}|{zip_named}
// topic: combinators
// needs: zip in tilewright/runtime
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto op = increment(std::move(z).partition({16}));
  auto [a, b] = zip(op, increment(zeros(d).partition({16}))).sync();
}
