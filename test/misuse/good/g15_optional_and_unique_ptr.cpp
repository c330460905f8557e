// Tensors in optional, unique_ptr and a struct
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

struct Pair {
  Tensor<f32> a, b;
};
std::optional<Tensor<f32>> maybe(Device d, bool wanted) {
  if (wanted) return zeros(d);
  return std::nullopt;
}

bool correct(Device d) {
  auto some = maybe(d, true);
  if (!some) return false;
  auto p = std::make_unique<Tensor<f32>>(std::move(*some));
  some.reset();
  increment(p->partition({16})).sync();
  Pair q{zeros(d), ones(d)};
  twice(q.a.partition({16}), q.b.borrow()).sync();
  auto [z] = increment(std::move(*p).partition({16})).sync();
  return all_are(z, 2.0f) && all_are(q.a, 2.0f);
}
