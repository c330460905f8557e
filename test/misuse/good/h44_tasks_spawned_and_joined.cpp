// Tasks that are spawned, one is cancelled
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<Tensor<f32>> step(Tensor<f32> t) {
  auto [back] = co_await increment(std::move(t).partition({16}));
  co_return std::move(back);
}

bool correct(Device d) {
  auto a = spawn(step(zeros(d)));
  auto b = spawn(step(ones(d)));
  auto c = spawn(step(ones(d)));
  std::move(c).cancel();
  auto x = std::move(a).wait();
  auto y = std::move(b).wait();
  return all_are(x, 1.0f) && all_are(y, 2.0f);
}
