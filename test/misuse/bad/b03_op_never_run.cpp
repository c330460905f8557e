// layer: types: the value of a call is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: {unrun}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  twice(std::move(z).partition({16}), s);
}
