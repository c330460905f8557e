// Tensors move into threads, a Shared is copied
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  auto x = ones(d).share();
  bool first = false, second = false;
  std::thread a(
      [&first](Tensor<f32> t, Shared<f32> s) {
        auto [z, same] = twice(std::move(t).partition({16}), s).sync();
        first = all_are(z, 2.0f);
      },
      zeros(d), x);
  std::thread b([&second](Shared<f32> s) { second = all_are(s, 1.0f); }, x);
  a.join();
  b.join();
  return first && second && all_are(x, 1.0f);
}
