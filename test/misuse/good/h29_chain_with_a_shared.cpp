// A chain whose second launch reads a Shared that it owns
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto s = ones(d).share();
  auto [z, first, same] = increment(zeros(d).partition({16}))
                              .then(
                                  [](auto given, Shared<f32> other) {
                                    auto fresh = zeros(other.device());
                                    auto x = std::get<0>(std::move(given)).share();
                                    return add(std::move(fresh).partition({16}), std::move(x), std::move(other));
                                  },
                                  s)
                              .sync();
  return all_are(z, 2.0f) && all_are(first, 1.0f) && all_are(same, 1.0f);
}
