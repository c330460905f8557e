// What one stream computes is read on another
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  const Stream a = d.new_stream(), b = d.new_stream();
  auto f = increment(zeros(d).partition({16})).start_on(a);
  auto [x] = std::move(f).wait();
  auto [z, same] = twice(zeros(d).partition({16}), std::move(x)).sync_on(b);
  return all_are(z, 2.0f) && all_are(same, 1.0f);
}
