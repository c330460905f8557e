// SPDX-License-Identifier: Apache-2.0
// Correct host programs evaluated while C++ compiles, and run. What a rehearsal refuses: test/compile_fail/rehearsal.
#include "tilewright/runtime/rehearsal.hpp"

#include "unit/runtime/runtime_kernels.hpp"

TILEWRIGHT_TEST_UNFOLLOWED_LOANS  // one of a part with a name: clang does not know when that ends

namespace tilewright::test {
namespace {

constexpr Tensor<f32> ones(Device device) { return device.full<f32>({8}, 1.0f); }

constexpr void double_twice(Tensor<f32>& to, const Tensor<f32>& from) {
  add(to.partition({4}), from.borrow(), from.borrow()).sync();
  increment(to.partition({4})).sync();
}

// Loops, containers, members, helpers, slices, views: lent to launches.
constexpr bool lend(Device device) {
  struct two {
    Tensor<f32> front, back;
  };
  two buffers{ones(device), device.zeros<f32>({8})};
  for (int step = 0; step < 3; ++step) {
    double_twice(buffers.back, buffers.front);
    swap(buffers.front, buffers.back);
  }
  std::vector<Tensor<f32>> layers;
  for (int i = 0; i < 4; ++i) layers.push_back(device.zeros<f32>({8}));
  layers.erase(layers.begin());
  for (auto& layer : layers) add_one(layer.partition({4}), buffers.front.borrow()).sync();
  auto [head, tail] = buffers.back.split_at(0, 4);
  add_one(head.partition({2}), tail.borrow()).sync();
  auto named = tail.borrow();
  increment(head.all()).sync();
  for (auto part : layers[0].chunks(0, 3)) increment(part.partition({1})).sync();
  auto moved = std::move(layers[1]);
  layers[1] = std::move(moved).reshape({2, 4});
  const Shared<f32> shared = std::move(layers[2]).share();
  auto result = ones(device);
  const auto reversed = shared.strided({8}, {-1}, 7);
  add(result.partition({4}), shared.borrow(), reversed.borrow()).sync();
  copy(buffers.front.all(), result.borrow()).sync();
  const auto from_host = device.from_host(std::vector<i32>{1, 2, 3}, {3});
  return layers[1].shape() == Shape{2, 4} && result.to_host().size() == 8 && from_host.shape()[0] == 3;
}
static_assert(lend(rehearsal_device()));

constexpr bool share(Device device) {
  auto x = ones(device).share();
  std::vector<Shared<f32>> views{x, x.slice(0, 2, 6), x.transpose()};
  const auto second = views[1].to_host().size();
  views.clear();
  const auto unique = std::move(x).into_unique();
  return second == 4 && unique.device() == device && unique.shape()[0] == 8;
}
static_assert(share(rehearsal_device()));

inline constexpr auto placed = kernel<"placed">(
    [](Scatter<f32, B, N> z, Unique<i32> rows, In<f32, dyn, dyn> x) { z.store(rows, load_like(x, z)); });

// The values of indices are checked when the program runs.
constexpr bool place(Device device) {
  auto z = device.zeros<f32>({8, 4});
  const auto x = device.zeros<f32>({3, 4}).share();
  const auto rows = unique_indices(device.from_host(std::vector<i32>{5, 0, 2}, {3}).share(), 8);
  placed(z.partition({2, 4}), rows, x).sync();
  auto [back, same, read] = placed(std::move(z).partition({2, 4}), rows, x).sync();
  return back.shape() == Shape{8, 4} && same.bound() == 8 && same.indices().shape() == Shape{3};
}
static_assert(place(rehearsal_device()));

// Ops: given and back, chained, zipped, mapped, in flight in a container, given up.
constexpr bool give(Device device, int steps) {
  auto a = ones(device), b = device.zeros<f32>({8});
  const auto one = ones(device).share();
  for (int step = 0; step < steps; ++step) {
    auto [sum, x, y] = add(std::move(b).partition({4}), std::move(a), one).sync();
    a = std::move(sum);
    b = std::move(x);
  }
  std::vector<InFlight<std::tuple<Tensor<f32>>>> flying;
  for (int i = 0; i < 3; ++i) flying.push_back(increment(ones(device).partition({4})).start_on(device.new_stream()));
  for (auto& each : flying) {
    auto [x] = std::move(each).wait();
    if (x.to_host().size() != 8) return false;
  }
  auto chain = add_one(std::move(b).partition({4}), one).then([](auto given) {
    auto [x, y] = std::move(given);
    return add(std::move(x).partition({4}), y, y);
  });
  auto [left, right] = zip(std::move(chain), increment(std::move(a).partition({4}))).sync();
  auto [sum, x, y] = std::move(left);
  auto last = increment(std::move(std::get<0>(right)).partition({2}));
  if (steps > 2) std::move(last).discard();
  auto count =
      add_one(std::move(sum).partition({4}), x).map([](auto given) { return std::get<0>(given).to_host().size(); });
  return std::move(count).sync() == 8;
}
static_assert(give(rehearsal_device(), 3));

constexpr bool on_two_devices(Device first, Device second) {
  const auto x = ones(first), y = ones(second);
  return !(x.device() == y.device()) && first.stream() == first.new_stream();
}
static_assert(on_two_devices(rehearsal_device(), rehearsal_device(1)));

constexpr bool record_what_was_prepared(Device device) {
  auto prepared = prepare(increment(ones(device).partition({4})));
  const auto twice = capture(device, [&] {
    prepared.enqueue();
    prepared.sync();
  });
  if (twice.nodes() != 2) return false;
  GraphBuilder builder(device);
  auto [chained] = builder.add(increment(ones(device).partition({4})).then([](std::tuple<Tensor<f32>> first) {
    return increment(std::move(std::get<0>(first)).partition({2}));
  }));
  auto chain = std::move(builder).build();
  chain.sync();
  return chain.nodes() == 2 && chained.to_host().size() == 8;
}

// Recorded launches, and memory of the host.
constexpr bool record(Device device) {
  auto z = ones(device), y = device.zeros<f32>({8});
  auto graph = capture(device, [&] {
    increment(z.partition({4})).sync();
    add_one(y.partition({4}), z.borrow()).sync();
  });
  graph.sync();
  graph.enqueue();
  const int changed[] = {0};
  graph.update(changed, [&] { increment(z.partition({2})).sync(); });
  if (graph.nodes() != 2 || !(graph.device() == device)) return false;
  GraphBuilder builder(device);
  auto [sum] = builder.add(increment(device.zeros<f32>({8}).partition({4})));
  builder.add(add_one(y.partition({4}), sum.borrow()));
  if (builder.add(graph) != 2 || builder.nodes() != 4) return false;
  auto moved = std::move(builder).build();
  graph = std::move(moved);
  graph.enqueue_on(device.new_stream());
  const auto outer = capture(device, [&] { graph.sync(); });
  if (!record_what_was_prepared(device)) return false;
  auto buffer = device.host_buffer<f32>({8});
  for (auto& value : buffer.span()) value = 1.0f;
  copy(y.all(), buffer.borrow()).sync();
  auto [filled, given] = copy(std::move(buffer), std::move(sum)).start().wait();
  const auto& seen = filled;
  return outer.nodes() == 4 && seen.span().size() == 8 && given.to_host().size() == 8;
}
static_assert(rehearse(record));

// Of two devices: each has its own captures, while work of the other is not recorded.
constexpr bool on_another(Device device, Device other) {
  auto here = ones(device), there = ones(other);
  copy(here.all(), there.borrow()).sync();
  const auto graph = capture(device, [&] { increment(here.partition({4})).sync(); });
  const auto second = capture(other, [&] { increment(there.partition({4})).sync(); });
  return graph.nodes() == 1 && second.nodes() == 1;
}
static_assert(rehearse(on_another));

// What runs again, may fail, or lends for longer.
constexpr void go_on(Device device) {
  auto prepared = prepare(increment(ones(device).partition({4})));
  prepared.enqueue();
  prepared.enqueue_on(device.new_stream());
  prepared.sync();
  auto second = std::move(prepared);
  auto [z] = std::move(second).finish();
  auto result = increment(std::move(z).partition({4})).try_sync();
  if (!result) return;
  auto [x] = std::move(result).value();
  auto y = ones(device);
  auto flown = increment(std::move(x).partition({4})).start().try_wait();
  auto [kept] = std::move(flown).value();
  (void)add_one(kept.partition({4}), y.borrow()).try_sync().value();
  scope([&](Scope& outer) {
    auto [head, tail] = kept.split_at(0, 4);
    outer.start(increment(head.partition({2})));
    scope([&](Scope& inner) { inner.start_on(device.new_stream(), add_one(tail.partition({2}), y.borrow())); });
  });
  const auto given = scope([&](Scope& s) { return s.start(add_one(std::move(kept).partition({4}), y.borrow())); });
  (void)std::get<0>(given).to_host();
}

static_assert(rehearse(go_on));

TEST(Rehearsal, WhatWasRehearsedRuns) {
  EXPECT_TRUE(lend(cpu_device()));
  EXPECT_TRUE(lend(interp_device()));
  EXPECT_TRUE(share(cpu_device()));
  EXPECT_TRUE(place(cpu_device()));
  EXPECT_TRUE(give(cpu_device(), 3));
  EXPECT_TRUE(record(cpu_device()));
  EXPECT_TRUE(record(interp_device()));
  EXPECT_TRUE(on_another(cpu_device(), interp_device()));
  go_on(cpu_device());
}

}  // namespace
}  // namespace tilewright::test
