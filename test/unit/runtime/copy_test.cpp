// SPDX-License-Identifier: Apache-2.0
// copy(to, from) on the devices of the host: what it gives back, its order among launches, views, and refusals.
#include <gtest/gtest.h>

#include <concepts>
#include <numeric>
#include <random>

#include "runtime/device_engine.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

const Device d = interp_device();

HostBuffer<f32> buffer_of(const std::vector<f32>& values) {
  auto made = d.host_buffer<f32>({static_cast<index_t>(values.size())});
  std::copy(values.begin(), values.end(), made.span().begin());
  return made;
}
std::vector<f32> values_of(const HostBuffer<f32>& buffer) {
  const std::span<const f32> values = buffer.span();
  return {values.begin(), values.end()};
}

static_assert(std::same_as<decltype(copy(std::declval<Tensor<f32>>(), std::declval<Shared<f32>&>())),
                           Op<std::tuple<Tensor<f32>, Shared<f32>>>>);
static_assert(std::same_as<decltype(copy(std::declval<HostBuffer<i8>>(), std::declval<Tensor<i8>>()).sync()),
                           std::tuple<HostBuffer<i8>, Tensor<i8>>>);

TEST(Copy, GoesFromABufferToATensorAndBack) {
  auto [t, filled] = copy(d.empty<f32>({4}), buffer_of({1, 2, 3, 4})).sync();
  EXPECT_EQ(values_of(filled), (std::vector<f32>{1, 2, 3, 4}));
  auto [u] = increment(std::move(t).partition({4})).sync();
  auto [read, same] = copy(std::move(filled), std::move(u)).sync();
  EXPECT_EQ(values_of(read), (std::vector<f32>{2, 3, 4, 5}));
  EXPECT_EQ(same.to_host(), (std::vector<f32>{2, 3, 4, 5}));
}

TEST(Copy, GoesBetweenTensorsAndBetweenBuffers) {
  const auto x = d.from_host(counted(6), {2, 3}).share();
  auto [t, again] = copy(d.empty<f32>({2, 3}), x).sync();
  EXPECT_EQ(t.to_host(), counted(6));
  EXPECT_EQ(again.to_host(), counted(6));
  auto [to, from] = copy(d.host_buffer<f32>({2}), buffer_of({7, 8})).sync();
  EXPECT_EQ(values_of(to), values_of(from));
}

TEST(Copy, IsInFlightWhileTheHostGoesOn) {
  const Stream stream = d.new_stream();
  stream_gate gate(stream);
  auto flying = copy(d.host_buffer<f32>({4}), d.from_host(counted(4), {4})).start_on(stream);
  gate.open();
  auto [buffer, t] = std::move(flying).wait();
  EXPECT_EQ(values_of(buffer), counted(4));
}

TEST(Copy, OfWhatALaunchInFlightComputesComesAfterIt) {
  const Stream first = d.new_stream();
  stream_gate gate(first);
  auto read = increment(d.zeros<f32>({4}).partition({4}))
                  .then([](std::tuple<Tensor<f32>> given) {
                    return copy(d.host_buffer<f32>({4}), std::get<0>(std::move(given)));
                  })
                  .start_on(first);
  gate.open();
  EXPECT_EQ(values_of(std::get<0>(std::move(read).wait())), std::vector<f32>(4, 1.0f));
}

TEST(Copy, ChainsWithLaunchesAndTakesBuffersThrough) {
  auto op = copy(d.empty<f32>({3}), buffer_of({1, 2, 3}))
                .then(
                    [](std::tuple<Tensor<f32>, HostBuffer<f32>> given, HostBuffer<f32> out) {
                      auto& [t, in] = given;
                      EXPECT_EQ(usage_of([&] { (void)in.span(); }).what, "span() inside a function given to then()");
                      return copy(std::move(out), std::move(t));
                    },
                    d.host_buffer<f32>({3}));
  auto [out, t] = std::move(op).sync();
  EXPECT_EQ(values_of(out), (std::vector<f32>{1, 2, 3}));
}

TEST(Copy, OnAnotherStreamWaitsForTheUseBefore) {
  const Stream first = d.new_stream(), second = d.new_stream();
  auto prepared = prepare(copy(d.host_buffer<f32>({2}), buffer_of({5, 6})));
  for (int i = 0; i < 3; ++i) prepared.enqueue_on(i % 2 == 0 ? first : second);
  auto [to, from] = std::move(prepared).finish();
  EXPECT_EQ(values_of(to), (std::vector<f32>{5, 6}));
}

TEST(Copy, OwnsItsMemoryUntilItIsDone) {
  d.synchronize();
  const std::size_t before = d.memory().in_use_bytes;
  const Stream stream = d.new_stream();
  stream_gate gate(stream);
  copy(d.host_buffer<f32>({1000}), d.zeros<f32>({1000})).start_on(stream).detach();
  EXPECT_GE(d.memory().in_use_bytes, before + 4096) << "the buffer; the tensor is there for later work of the stream";
  gate.open();
  stream.synchronize();
  EXPECT_EQ(d.memory().in_use_bytes, before);
}

TEST(Copy, LendsForOneExpression) {
  auto t = d.zeros<f32>({2, 4});
  const auto x = d.from_host(counted(4), {2, 2});
  auto buffer = d.host_buffer<f32>({2, 4});
  copy(t.slice(1, 1, 3).all(), x.borrow()).sync();
  copy(buffer.all(), t.borrow()).sync();
  EXPECT_EQ(values_of(buffer), (std::vector<f32>{0, 0, 1, 0, 0, 2, 3, 0}));
  buffer.span()[0] = 9;
  auto [back] = copy(d.empty<f32>({2, 4}), buffer.borrow()).sync();
  EXPECT_EQ(back.to_host().front(), 9.0f);
  auto [head, tail] = t.split_at(0, 1);
  copy(head.all(), tail.borrow()).sync();
  EXPECT_EQ(t.to_host(), (std::vector<f32>{0, 2, 3, 0, 0, 2, 3, 0}));
}

TEST(Copy, ReadsAnyView) {
  const auto x = d.from_host(counted(24), {2, 3, 4}).share();
  const std::vector<Shared<f32>> views = {x.transpose(),
                                          x.slice(0, 1, 2),
                                          x.slice(2, 1, 3).slice(1, 0, 2),
                                          x.strided({3, 2}, {-4, 2}, 11),
                                          x.strided({2, 5}, {0, 1}, 3),
                                          x.reshape({4, 6}).slice(1, 5, 6),
                                          x.slice(1, 2, 2)};
  for (const Shared<f32>& view : views) {
    SCOPED_TRACE(to_text(view.shape()));
    EXPECT_EQ(std::get<0>(copy(d.empty<f32>(view.shape()), view).sync()).to_host(), view.to_host());
    EXPECT_EQ(values_of(std::get<0>(copy(d.host_buffer<f32>(view.shape()), view).sync())), view.to_host());
  }
}

TEST(Copy, OfNothingDoesNothing) {
  auto t = d.zeros<f32>({0, 3});
  const auto none = d.zeros<f32>({0, 3});
  copy(t.all(), none.borrow()).sync();
  auto [buffer, same] = copy(d.host_buffer<f32>({0, 3}), std::move(t)).sync();
  EXPECT_TRUE(buffer.span().empty());
  auto scalar = d.full<f32>({}, 3.0f);
  EXPECT_EQ(values_of(std::get<0>(copy(d.host_buffer<f32>({}), std::move(scalar)).sync())), std::vector<f32>{3});
}

TEST(Copy, RefusesOtherShapesDevicesAndElementsInCommon) {
  auto t = d.zeros<f32>({4});
  EXPECT_EQ(usage_of([&] { copy(t.all(), d.zeros<f32>({5}).share()).sync(); }).what, "a copy between different shapes");
  EXPECT_EQ(usage_of([&] { copy(t.all(), d.zeros<f32>({2, 2}).share()).sync(); }).got, "[2, 2]");
  EXPECT_EQ(usage_of([&] { copy(t.slice(0, 0, 3).all(), t.slice(0, 1, 4).borrow()).sync(); }).what,
            "an output overlaps another argument");
  EXPECT_EQ(t.to_host(), std::vector<f32>(4, 0.0f));
}

// ---- In a graph ----------------------------------------------------------------------------------------------------
TEST(Copy, IsRecordedAndReplayedLikeAnyLaunch) {
  auto t = d.zeros<f32>({2, 3}), rows = d.zeros<f32>({2, 2});
  auto upload = d.host_buffer<f32>({2, 3}), download = d.host_buffer<f32>({2, 2});
  Graph graph = capture(d, [&] {
    copy(t.all(), upload.borrow()).sync();
    increment(t.reshape({6}).partition({3})).sync();
    copy(rows.all(), t.slice(1, 1, 3).borrow()).sync();
    copy(download.all(), rows.borrow()).sync();
  });
  EXPECT_EQ(graph.nodes(), 4);
  for (const f32 first : {10.0f, 20.0f}) {
    for (std::size_t i = 0; i < 6; ++i) upload.span()[i] = first + static_cast<f32>(i);
    graph.enqueue();
    EXPECT_EQ(values_of(download), (std::vector<f32>{first + 2, first + 3, first + 5, first + 6}));
  }
}

TEST(Copy, OfAnotherTensorChangesItsNodeAlone) {
  auto a = d.full<f32>({3}, 1.0f), b = d.full<f32>({3}, 2.0f), z = d.zeros<f32>({3});
  const auto record = [&](const Tensor<f32>& from) {
    return [&] {
      copy(z.all(), from.borrow()).sync();
      increment(z.partition({3})).sync();
    };
  };
  Graph graph = capture(d, record(a));
  EXPECT_EQ(graph.update(record(a)), 0);
  EXPECT_EQ(graph.update(record(b)), 1);
  graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(3, 3.0f));
  EXPECT_EQ(usage_of([&] { graph.set(0, 0, 1.0f); }).got, "a copy");
  const int second = 1;
  EXPECT_EQ(usage_of([&] { graph.update({&second, 1}, [&] { copy(z.all(), a.borrow()).sync(); }); }).got, "copy()");
  const std::vector<KernelTime> times = graph.profile(1);
  EXPECT_TRUE(times.size() == 2 && (times[0].kernel == "copy()" || times[1].kernel == "copy()"));
}

TEST(Copy, IsTakenByABuilderAndOutlivesItsTensors) {
  GraphBuilder builder(d);
  std::optional<Tensor<f32>> z;
  {
    auto [to, from] = builder.add(copy(d.empty<f32>({3}), d.full<f32>({3}, 4.0f)));
    z.emplace(std::move(to));
  }
  Graph graph = std::move(builder).build();
  graph.sync();
  EXPECT_EQ(z->to_host(), std::vector<f32>(3, 4.0f));
}

TEST(Copy, InAGraphOfAnotherDeviceIsRefusedAndNothingIsRecorded) {
  auto t = d.zeros<f32>({4});
  auto u = d.zeros<f32>({4});
  EXPECT_EQ(usage_of([&] { (void)capture(cpu_device(), [&] { copy(t.all(), u.borrow()).sync(); }); }).where, "copy()");
  auto buffer = d.host_buffer<f32>({1});
  EXPECT_EQ(usage_of([&] { (void)capture(d, [&] { (void)buffer.span(); }); }).what, "span() inside a capture");
}

TEST(Copy, OfALostTensorFailsAndLosesWhatItWrites) {
  static constexpr auto quotient =
      kernel<"quotient">([](Out<i32, B> z, In<i32, dyn> x) { z.store(load_like(x, z) / load_like(x, z)); });
  auto buffer = d.host_buffer<i32>({2});
  std::fill(buffer.span().begin(), buffer.span().end(), 7);
  auto z = d.zeros<i32>({2});
  EXPECT_THROW(quotient(z.all(), d.zeros<i32>({2}).share()).sync(), device_fault);
  EXPECT_THROW(copy(buffer.all(), z.borrow()).sync(), device_fault);
  EXPECT_THROW((void)buffer.span(), device_fault);
  copy(buffer.all(), d.full<i32>({2}, 3).share()).sync();  // written anew
  EXPECT_EQ(buffer.span()[1], 3);
  copy(z.all(), buffer.borrow()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<i32>{3, 3}));
}

// The definition: element by element.
TEST(ElementCopy, AgreesWithCountingOnRandomViews) {
  std::mt19937 engine(20261201);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution<index_t>(least, most)(engine); };
  const auto x = d.from_host(counted(400), {400}).share();
  for (int i = 0; i < 500; ++i) {
    Shape extents = d.empty<f32>({1}).shape(), strides = extents;
    std::vector<index_t> sizes, steps;
    index_t first = 0;
    for (index_t axis = draw(0, 4); axis > 0; --axis) {
      sizes.push_back(draw(0, 4));
      steps.push_back(draw(-20, 20));
      if (steps.back() < 0) first -= (sizes.back() == 0 ? 0 : sizes.back() - 1) * steps.back();
    }
    extents = Shape(std::span<const index_t>(sizes));
    strides = Shape(std::span<const index_t>(steps));
    const auto view = x.strided(extents, strides, first);
    ASSERT_EQ(std::get<0>(copy(d.empty<f32>(extents), view).sync()).to_host(), view.to_host()) << "case " << i;
  }
}

TEST(ElementCopy, JoinsAxesThatLieTogether) {
  const auto made = [](const Shared<f32>& to, const Shared<f32>& from) {
    return detail::make_copy(detail::describe(to), detail::describe(from));
  };
  const auto x = d.zeros<f32>({4, 6, 8}).share(), y = d.zeros<f32>({4, 6, 8}).share();
  EXPECT_EQ(made(x, y).rank, 0);
  EXPECT_EQ(made(x, y).run_bytes, 4u * 6 * 8 * 4);
  const auto rows = made(x.slice(1, 0, 3), y.slice(1, 2, 5));
  EXPECT_EQ(rows.rank, 1);
  EXPECT_EQ(rows.run_bytes, 3u * 8 * 4);
  EXPECT_EQ(made(x.transpose(), y.transpose()).run_bytes, 4u) << "the order of axes is the caller's";
  EXPECT_EQ(made(x.slice(0, 1, 1), y.slice(0, 1, 1)).run_bytes, 0u);
}

}  // namespace
}  // namespace tilewright::test
