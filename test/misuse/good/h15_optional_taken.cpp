// An optional that is taken and filled
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  std::optional<Tensor<f32>> some(zeros(d));
  for (int i = 0; i < 3; ++i) {
    auto [back] = increment(std::move(*some).partition({16})).sync();
    some.emplace(std::move(back));
  }
  return all_are(*some, 3.0f);
}
