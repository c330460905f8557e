// A pipeline of owned and lent launches, a vector of tensors, a chain
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto a = ones(d);
  auto b = zeros(d);
  auto one = ones(d).share();
  for (int i = 0; i < 4; ++i) {
    auto [z, x, same] = add(std::move(b).partition({16}), std::move(a), one).sync();
    a = std::move(z);
    b = std::move(x);
  }
  std::vector<Tensor<f32>> v;
  for (int i = 0; i < 3; ++i) v.push_back(ones(d));
  for (auto& t : v) {
    auto [back] = increment(std::move(t).partition({16})).sync();
    t = std::move(back);
  }
  add(b.partition({16}), a.borrow(), v[2].borrow()).sync();
  auto [z] = twice(std::move(b).partition({16}), one)
                 .then([](auto given) { return increment(std::get<0>(std::move(given)).partition({16})); })
                 .sync();
  return all_are(z, 3.0f) && all_are(a, 5.0f);
}
