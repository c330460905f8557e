// layer: flow: an owner is deleted before the launch that borrows it runs
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto* z = new Tensor<f32>(zeros(d));
  auto op = increment(z->partition({16}));
  delete z;
  std::move(op).sync();
}
