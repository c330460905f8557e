// layer: flow: a lambda gives its parameter twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: lambdas
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  const auto run = [](Tensor<f32> t) {
    (void)increment(std::move(t).partition({16})).sync();
    (void)increment(std::move(t).partition({16})).sync();
  };
  run(zeros(d));
}
