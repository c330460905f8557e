// Double buffering with tensors that are given and come back
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto a = zeros(d);
  auto b = zeros(d);
  auto one = ones(d).share();
  for (int i = 0; i < 4; ++i) {
    auto [z, x, y] = add(std::move(b).partition({16}), std::move(a), one).sync();
    a = std::move(z);
    b = std::move(x);
  }
  return all_are(a, 4.0f);
}
