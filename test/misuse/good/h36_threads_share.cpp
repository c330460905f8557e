// Threads that read one Shared and own their outputs
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  auto x = ones(d).share();
  std::vector<std::future<bool>> results;
  for (int i = 0; i < 3; ++i) {
    results.push_back(std::async(std::launch::async, [d, x] {
      auto [z, same] = twice(zeros(d).partition({16}), x).sync();
      return all_are(z, 2.0f);
    }));
  }
  bool is_right = true;
  for (auto& r : results) is_right = r.get() && is_right;
  return is_right;
}
