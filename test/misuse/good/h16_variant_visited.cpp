// A variant that holds a tensor or a Shared
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  std::variant<Tensor<f32>, Shared<f32>> either(ones(d));
  const bool first = std::visit([](const auto& t) { return all_are(t, 1.0f); }, either);
  either = std::get<0>(std::move(either)).share();
  return first && std::visit([](const auto& t) { return all_are(t, 1.0f); }, either);
}
