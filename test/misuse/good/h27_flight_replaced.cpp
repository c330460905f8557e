// A name that takes new work after the old
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto f = increment(zeros(d).partition({16})).start();
  for (int i = 0; i < 3; ++i) {
    auto [z] = std::move(f).wait();
    f = increment(std::move(z).partition({16})).start();
  }
  auto [z] = std::move(f).wait();
  return all_are(z, 4.0f);
}
