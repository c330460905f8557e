// SPDX-License-Identifier: Apache-2.0
// expect-error: 'z' was given away before; .*twcheck-use-after-give
// expect-error: 'held.z' was given away before
// expect-error: 'all\[1\]' was given away before
// expect-error: 'all\[i\]' was given away before
// expect-error: 'first' was given away before
// expect-error: 'maybe' may have been given away before
// expect-error: 'looped' may have been given away before
// expect-error: 'caught' was given away before
// expect-error: 'captured' was given away before
// expect-error: '\*pointer' was given away before
// expect-error: 'chosen' may have been given away before
// expect-error: 'aliased' was given away before
// expect-error: 'readers' was given away before
// expect-error: 'writer' was given away before
// expect-error: 'prepared' was given away before
// expect-error: given away here
#include <memory>
#include <vector>

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifdef TILEWRIGHT_FIXED
constexpr bool is_wrong = false;
#define WRONG(...)
#else
constexpr bool is_wrong = true;
#define WRONG(...) __VA_ARGS__
#endif

struct Holder {
  Tensor<f32> z;
};
bool perhaps();
void take(Tensor<f32>&& t);

void variable() {
  auto z = zeros();
  take(std::move(z));
  WRONG((void)z.to_host();)
}
void member() {
  Holder held{zeros()};
  take(std::move(held.z));
  WRONG(take(std::move(held.z));)
}
void element() {
  std::vector<Tensor<f32>> all;
  all.push_back(zeros());
  all.push_back(zeros());
  take(std::move(all[1]));
  take(std::move(all[0]));
  WRONG(take(std::move(all[1]));)
}
void element_of_a_variable() {
  std::vector<Tensor<f32>> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    take(std::move(all[i]));
    WRONG(take(std::move(all[i]));)
  }
}
void binding() {
  auto [first, second, readers] = add(zeros().partition({16}), zeros(), ones()).sync();
  take(std::move(first));
  take(std::move(second));
  (void)readers.shape();
  WRONG(take(std::move(first));)
}
void one_path() {
  auto maybe = zeros();
  if (perhaps()) take(std::move(maybe));
  WRONG((void)maybe.to_host();)
}
void loop() {
  auto looped = zeros();
  for (int i = 0; i < 3; ++i) {
    take(std::move(looped));
    if (!is_wrong) looped = zeros();
  }
}
void exception() {
  auto caught = zeros();
  try {
    auto [back] = increment(std::move(caught).partition({16})).sync();
  } catch (const std::exception&) {
    WRONG((void)caught.to_host();)
  }
}
void lambda() {
  auto captured = zeros();
  const auto later = [inside = std::move(captured)] { return inside.shape(); };
  (void)later();
  WRONG((void)captured.shape();)
}
void heap() {
  auto pointer = std::make_unique<Tensor<f32>>(zeros());
  take(std::move(*pointer));
  WRONG(take(std::move(*pointer));)
}
void conditional_move() {
  auto chosen = zeros(), other = zeros();
  take(perhaps() ? std::move(chosen) : std::move(other));
  WRONG(take(std::move(chosen));)
}
void alias() {
  auto aliased = zeros();
  auto& name = aliased;
  take(std::move(name));
  WRONG((void)aliased.shape();)
}
void shared() {
  auto readers = ones();
  auto unique = std::move(readers).into_unique();
  WRONG(auto op = twice(std::move(unique).partition({16}), readers); std::move(op).discard();)
}
void prepared_launch() {
  auto prepared = prepare(increment(zeros().partition({16})));
  auto [back] = std::move(prepared).finish();
  WRONG(prepared.sync();)
}
void loan() {
  auto z = zeros();
  auto writer = z.partition({16});
  increment(std::move(writer)).sync();
  WRONG(increment(std::move(writer)).sync();)
}
