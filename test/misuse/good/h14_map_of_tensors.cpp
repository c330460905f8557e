// A map of tensors, an entry is taken out and put back
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  std::map<int, Tensor<f32>> cache;
  cache.emplace(1, zeros(d));
  auto node = cache.extract(1);
  auto [back] = increment(std::move(node.mapped()).partition({16})).sync();
  cache.emplace(1, std::move(back));
  return all_are(cache.at(1), 1.0f);
}
