// A coroutine per layer, shared weights
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<Tensor<f32>> layer(Device d, Tensor<f32> x, Shared<f32> w) {
  auto [z, in, weights] = co_await add(zeros(d).partition({16}), std::move(x), std::move(w));
  co_return std::move(z);
}
Task<Tensor<f32>> net(Device d, Shared<f32> w) {
  auto x = ones(d);
  for (int i = 0; i < 3; ++i) x = co_await layer(d, std::move(x), w);
  co_return std::move(x);
}

bool correct(Device d) {
  auto w = ones(d).share();
  auto r = net(d, w).sync();
  return all_are(r, 4.0f);
}
