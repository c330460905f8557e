// A Shared whose readers are gone
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto s = ones(d).share();
  auto [z, back] = twice(zeros(d).partition({16}), std::move(s)).sync();
  auto u = std::move(back).into_unique();
  increment(u.partition({16})).sync();
  return all_are(u, 2.0f) && all_are(z, 2.0f);
}
