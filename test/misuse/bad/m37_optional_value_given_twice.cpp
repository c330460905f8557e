// layer: container: what an optional holds is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::optional<Tensor<f32>> some(zeros(d));
  (void)increment(std::move(*some).partition({16})).sync();
  (void)increment(std::move(*some).partition({16})).sync();
}
