// SPDX-License-Identifier: Apache-2.0
// expect-error: 'z' may have been given away before
// expect-error: in what is called here
// expect-error: 'model.weights_' was given away before
// expect-error: 'give.t' was given away before
// expect-error: 'held' was given away before
// expect-error: 'recorded' was given away before
// expect-error: 'seen' was given away before
// expect-error: 'ordered' may have been given away before
#include <thread>

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifdef TILEWRIGHT_FIXED
#define WRONG(...)
#else
#define WRONG(...) __VA_ARGS__
#endif

bool perhaps();
void take(Tensor<f32>&& t);
void keep(int rank, Shared<f32> s);

class Model {
 public:
  explicit Model(Tensor<f32> weights) : weights_(std::move(weights)) {}
  Tensor<f32> release() { return std::move(weights_); }
  int rank() const { return weights_.shape().rank(); }
  void refill() { weights_ = zeros(); }

 private:
  Tensor<f32> weights_;
};

void give_on_one_path(Tensor<f32>& t) {
  if (!perhaps()) return;
  take(std::move(t));
}
void helper() {
  auto z = zeros();
  give_on_one_path(z);
  WRONG((void)z.to_host();)
}
void methods() {
  Model model(zeros());
  (void)model.release().shape();
#ifdef TILEWRIGHT_FIXED
  model.refill();
#endif
  (void)model.rank();
}
void closure_that_owns() {
  const auto make = [](Tensor<f32> t) { return [t = std::move(t)]() mutable { take(std::move(t)); }; };
  auto give = make(zeros()), other = make(zeros());
  give();
  other();
  WRONG(give();)
}
void closure_that_refers() {
  auto held = zeros();
  const auto give = [&] { take(std::move(held)); };
  give();
#ifdef TILEWRIGHT_FIXED
  held = zeros();
#endif
  (void)held.to_host();
}
void captures() {
  auto recorded = zeros();
  auto first = capture(device(), [&] { (void)increment(std::move(recorded).partition({16})).sync(); });
  WRONG(auto second = capture(device(), [&] { (void)increment(std::move(recorded).partition({16})).sync(); });)
}
void threads() {
  auto seen = zeros();
  WRONG(take(std::move(seen));)
  std::thread reader([&] { (void)seen.shape(); });
  reader.join();
}
void order_of_arguments() {
  auto ordered = zeros();
#ifdef TILEWRIGHT_FIXED
  const int rank = ordered.shape().rank();
  keep(rank, std::move(ordered).share());
#else
  keep(ordered.shape().rank(), std::move(ordered).share());
#endif
}
