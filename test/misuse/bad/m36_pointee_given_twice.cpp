// layer: container: what a unique_ptr holds is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

void misuse(Device d) {
  auto p = std::make_unique<Tensor<f32>>(zeros(d));
  (void)increment(std::move(*p).partition({16})).sync();
  (void)increment(std::move(*p).partition({16})).sync();
}
