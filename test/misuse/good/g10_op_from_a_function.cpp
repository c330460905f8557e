// Ops that come from functions, chained by then()
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE auto step(Tensor<f32> t, Shared<f32> x) {
  auto op = twice(std::move(t).partition({16}), std::move(x));
  return op;
}

REHEARSABLE bool correct(Device d) {
  auto x = ones(d).share();
  auto [z, s] = step(zeros(d), x)
                    .then([](auto given) {
                      auto [t, q] = std::move(given);
                      auto fresh = zeros(t.device());
                      return twice(std::move(fresh).partition({16}), std::move(t).share());
                    })
                    .sync();
  return all_are(z, 4.0f);
}
