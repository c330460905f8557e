// Each case of a switch spends the op
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto op = increment(zeros(d).partition({16}));
  switch (perhaps() ? 1 : 2) {
    case 1: {
      auto [z] = std::move(op).sync();
      return all_are(z, 1.0f);
    }
    default:
      std::move(op).discard();
      return false;
  }
}
