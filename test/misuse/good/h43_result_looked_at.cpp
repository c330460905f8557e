// A Result that a condition looks at carries nothing to spend
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  auto result = increment(zeros(d).partition({16})).try_sync();
  if (!result) {
    auto arguments = std::move(result).arguments();
    return arguments && all_are(std::get<0>(*arguments), 0.0f);
  }
  auto [z] = std::move(result).value();
  for (int i = 0; i < 2; ++i) {
    auto next = increment(std::move(z).partition({16})).try_sync();
    if (!next) return next.error().parts().what.empty();
    z = std::get<0>(std::move(next).value());
  }
  return all_are(z, 3.0f);
}
