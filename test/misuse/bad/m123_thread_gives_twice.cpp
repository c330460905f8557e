// layer: flow: a function of a thread gives its parameter twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: threads
#include "misuse.hpp"

void misuse(Device d) {
  auto result = std::async(
      std::launch::async,
      [](Tensor<f32> t) {
        (void)increment(std::move(t).partition({16})).sync();
        (void)increment(std::move(t).partition({16})).sync();
      },
      zeros(d));
  result.get();
}
