// Two pieces of work in flight, waited for in another order
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto f = increment(zeros(d).partition({16})).start();
  auto g = increment(ones(d).partition({16})).start();
  auto [b] = std::move(g).wait();
  auto [a] = std::move(f).wait();
  return all_are(a, 1.0f) && all_are(b, 2.0f);
}
