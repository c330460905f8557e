// A thread that takes a tensor and gives it back
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  auto z = std::async(
               std::launch::async,
               [](Tensor<f32> t) {
                 increment(t.partition({16})).sync();
                 return t;
               },
               zeros(d))
               .get();
  return all_are(z, 1.0f);
}
