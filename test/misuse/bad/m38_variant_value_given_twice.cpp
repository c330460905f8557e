// layer: container: what a variant holds is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::variant<int, Tensor<f32>> either(zeros(d));
  (void)increment(std::get<1>(std::move(either)).partition({16})).sync();
  (void)increment(std::get<1>(std::move(either)).partition({16})).sync();
}
