// layer: container: a value of a map is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

void misuse(Device d) {
  std::map<int, Tensor<f32>> cache;
  cache.emplace(7, zeros(d));
  (void)increment(std::move(cache.at(7)).partition({16})).sync();
  (void)increment(std::move(cache.at(7)).partition({16})).sync();
}
