// layer: types: a launch takes no named tensor
// SPDX-License-Identifier: Apache-2.0
// expect: a launch takes no named Tensor
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(d);
  auto [a] = twice(std::move(z).partition({16}), x).sync();
}
