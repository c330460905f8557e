// Either branch spends the op
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto op = increment(zeros(d).partition({16}));
  if (!perhaps()) {
    std::move(op).discard();
    return false;
  }
  auto [z] = std::move(op).sync();
  return all_are(z, 1.0f);
}
