// layer: types: an owner among the results of sync() is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: {result_dropped}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  twice(std::move(z).partition({16}), x.borrow()).sync();
}
