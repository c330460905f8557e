// One Shared read on two streams
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto x = ones(d).share();
  auto f = twice(zeros(d).partition({16}), x).start_on(d.new_stream());
  auto g = twice(zeros(d).partition({16}), x).start_on(d.new_stream());
  auto [a, xa] = std::move(f).wait();
  auto [b, xb] = std::move(g).wait();
  return all_are(a, 2.0f) && all_are(b, 2.0f) && all_are(x, 1.0f);
}
