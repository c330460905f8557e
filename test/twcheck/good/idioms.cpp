// SPDX-License-Identifier: Apache-2.0
// Correct programs that a checker of ownership is tempted to refuse.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <tuple>
#include <vector>

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

bool perhaps();
void take(Tensor<f32>&& t);
void refill(Tensor<f32>& t);
auto make_op() { return increment(zeros().partition({16})); }
using Step = decltype(make_op());
using Flight = InFlight<std::tuple<Tensor<f32>>>;

void given_and_back() {
  auto z = zeros();
  for (int i = 0; i < 3; ++i) {
    auto [back] = increment(std::move(z).partition({16})).sync();
    z = std::move(back);
  }
  for (int i = 0; i < 3; ++i) std::tie(z) = increment(std::move(z).partition({16})).sync();
  for (int i = 0; i < 3; ++i) z = std::get<0>(increment(std::move(z).partition({16})).sync());
  (void)z.to_host();
}
void swapped() {
  auto z = zeros(), y = zeros();
  for (int i = 0; i < 3; ++i) {
    twice(z.partition({16}), y.borrow()).sync();
    std::swap(z, y);
    swap(z, y);
  }
  take(std::exchange(z, zeros()));
  (void)z.to_host();
}
void refilled_by_a_function() {
  auto z = zeros();
  take(std::move(z));
  refill(z);
  (void)z.to_host();
}
void refilled_by_a_closure() {
  auto z = zeros();
  const auto fill = [&] { z = zeros(); };
  const std::function<void()> stored = [&z] { z = zeros(); };
  take(std::move(z));
  fill();
  (void)z.to_host();
  take(std::move(z));
  stored();
  (void)z.to_host();
}
void filled_where_it_is_empty(bool is_wanted) {
  auto z = zeros();
  if (is_wanted) take(std::move(z));
  if (is_wanted) z = zeros();
  (void)z.to_host();
}
void either_branch() {
  auto op = make_op();
  if (perhaps()) {
    (void)std::move(op).sync();
  } else {
    std::move(op).discard();
  }
}
void flights() {
  std::vector<Flight> all;
  for (int i = 0; i < 3; ++i) all.push_back(make_op().start());
  for (auto& each : all) (void)std::move(each).wait();
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = make_op().start();
  for (std::size_t i = 0; i < all.size(); ++i) (void)std::move(all[i]).wait();
}
Flight handed_out() {
  auto flight = make_op().start();
  if (perhaps()) return flight;
  (void)std::move(flight).wait();
  return make_op().start();
}
void finish(Flight flight) { (void)std::move(flight).wait(); }
void given_by_value() {
  finish(make_op().start());
  auto flight = make_op().start();
  finish(std::move(flight));
}
class Model {
 public:
  explicit Model(Tensor<f32> weights) : weights_(std::move(weights)) { (void)weights_.shape(); }
  void step() {
    auto [back] = increment(std::move(weights_).partition({16})).sync();
    weights_ = std::move(back);
    (void)weights_.to_host();
    take(std::move(weights_));
    reset();
    (void)weights_.to_host();
  }
  void reset() { weights_ = zeros(); }
  Tensor<f32> release() && { return std::move(weights_); }

 private:
  Tensor<f32> weights_;
};
void containers() {
  std::optional<Tensor<f32>> maybe = zeros();
  take(std::move(*maybe));
  maybe = zeros();
  (void)maybe->to_host();
  take(*std::move(maybe));
  maybe.emplace(zeros());
  (void)maybe.value().to_host();
  std::map<int, Tensor<f32>> named;
  named.emplace(1, zeros());
  for (auto& [name, each] : named) each = std::get<0>(increment(std::move(each).partition({16})).sync());
  std::vector<Tensor<f32>> list;
  list.push_back(zeros());
  auto moved = std::move(list);
  list.clear();
  list.push_back(zeros());
  take(std::move(list.back()));
  list.pop_back();
  list.push_back(zeros());
  (void)list.back().to_host();
}
void pointers() {
  auto owner = std::make_unique<Model>(zeros());
  auto* seen = owner.get();
  auto other = std::move(owner);
  seen->step();
  owner = std::make_unique<Model>(std::move(*other).release());
  owner->step();
}
void caught() {
  auto z = zeros();
  try {
    increment(z.partition({16})).sync();
  } catch (const usage_error&) {
    (void)z.to_host();
    take(std::move(z));
    return;
  }
  auto op = increment(std::move(z).partition({16}));
  try {
    z = std::get<0>(std::move(op).sync());
  } catch (const std::exception&) {
    z = zeros();
  }
  (void)z.to_host();
}
void threads() {
  auto z = zeros();
  std::thread worker([inside = std::move(z)]() mutable { take(std::move(inside)); });
  worker.join();
  z = zeros();
  std::thread other([&] { z = zeros(); });
  other.join();
  (void)z.to_host();
}
void many_readers() {
  auto readers = ones();
  auto other = readers;
  auto [z, same] = twice(zeros().partition({16}), std::move(other)).sync();
  other = readers;
  twice(z.partition({16}), readers.borrow()).sync();
  (void)other.to_host();
}
void graph() {
  auto z = zeros();
  auto recorded = capture(device(), [&] {
    std::tie(z) = increment(std::move(z).partition({16})).sync();
    increment(z.partition({16})).sync();
  });
  recorded.sync();
  (void)z.to_host();
  GraphBuilder builder(device());
  auto [back] = builder.add(increment(std::move(z).partition({16})));
  builder.add(increment(back.partition({16})));
  auto built = std::move(builder).build();
  built.enqueue();
  built.sync();
}
void scopes() {
  std::vector<Tensor<f32>> all;
  all.push_back(zeros());
  scope([&](Scope& s) {
    for (auto& each : all) s.start(increment(each.partition({16})));
  });
  scope([&](Scope& s) {
    for (std::size_t i = 0; i < all.size(); ++i) s.start(increment(all[i].partition({16})));
  });
  auto z = zeros();
  for (auto part : z.chunks(0, 16)) increment(std::move(part).partition({16})).sync();
  take(std::move(z));
}
void host_buffers() {
  auto buffer = device().host_buffer<f32>({64});
  auto z = zeros();
  for (int i = 0; i < 3; ++i) {
    const auto values = buffer.span();
    values[0] = 1.0f;
    auto [to, from] = copy(std::move(z), std::move(buffer)).sync();
    z = std::move(to);
    buffer = std::move(from);
  }
  auto values = buffer.span();
  auto [to, from] = copy(std::move(buffer), std::move(z)).sync();
  values = to.span();
  (void)values[0];
}
template <class... Given>
auto forwarded(Given&&... given) {
  return add(std::forward<Given>(given)...);
}
void through_templates() {
  auto s = ones();
  auto op = forwarded(zeros().partition({16}), s, s);
  auto [z, x, y] = std::move(op).sync();
  (void)s.to_host();
}
bool try_take(Tensor<f32>& t) {
  if (!perhaps()) return false;
  take(std::move(t));
  return true;
}
void calls_that_tell_what_they_did() {
  auto z = zeros();
  if (!try_take(z)) (void)z.shape();
}
class Slot {
 public:
  Tensor<f32> take_out() {
    is_full_ = false;
    return std::move(held_);
  }
  int rank() const { return is_full_ ? held_.shape().rank() : 0; }
  int rank_or_throw() const {
    if (!is_full_) throw 1;
    return held_.shape().rank();
  }
  void put(Tensor<f32> t) {
    held_ = std::move(t);
    is_full_ = true;
  }

 private:
  Tensor<f32> held_ = zeros();
  bool is_full_ = true;
};
void classes_that_know_their_state() {
  Slot slot;
  auto z = slot.take_out();
  (void)slot.rank();
  (void)slot.rank_or_throw();
  slot.put(std::move(z));
  (void)slot.take_out().shape();
}
void closures_that_are_called() {
  auto z = zeros();
  const auto give = [&] { take(std::move(z)); };
  for (int i = 0; i < 3; ++i) {
    give();
    z = zeros();
  }
  const auto make = [](Tensor<f32> t) { return [t = std::move(t)]() mutable { take(std::move(t)); }; };
  auto one = make(zeros()), two = make(zeros());
  one();
  two();
  auto s = ones();
  auto own = [s]() mutable { return std::move(s).into_unique(); };
  (void)s.shape();
}
void containers_that_are_emptied_by_hand() {
  std::vector<Flight> all;
  for (int i = 0; i < 4; ++i) {
    all.push_back(make_op().start());
    if (all.size() < 2) continue;
    for (auto& each : all) (void)std::move(each).wait();
    all.clear();
  }
  while (!all.empty()) {
    (void)std::move(all.back()).wait();
    all.pop_back();
  }
  std::optional<Flight> last;
  for (int i = 0; i < 3; ++i) {
    if (last) (void)std::move(*last).wait();
    last = make_op().start();
  }
  if (last) std::move(*last).detach();
}
void use_view(std::span<f32>&& view);
void views_stay_after_a_move() {
  auto buffer = device().host_buffer<f32>({64});
  auto view = buffer.span();
  use_view(std::move(view));
  use_view(std::move(view));
}
bool looks(const Result<std::tuple<Tensor<f32>>>& result);
void results_that_are_lent() {
  if (looks(make_op().try_sync())) return;
  const auto result = make_op().try_sync();
  (void)looks(result);
}
std::vector<Flight> containers_handed_on() {
  std::vector<Flight> all;
  all.push_back(make_op().start());
  auto other = std::move(all);
  return other;
}
Step chained() {
  auto op = make_op();
  op = std::move(op).then(
      [](std::tuple<Tensor<f32>> given) { return increment(std::get<0>(std::move(given)).partition({16})); });
  return op;
}
