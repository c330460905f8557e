// layer: flow: a prepared launch gives its arguments back twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto prepared = prepare(increment(zeros(d).partition({16})));
  auto [a] = std::move(prepared).finish();
  auto [b] = std::move(prepared).finish();
}
