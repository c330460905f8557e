// SPDX-License-Identifier: Apache-2.0
// Graphs and threads: captures are of one thread, and memory that a graph writes stays in order, whoever uses it.
// Also under ThreadSanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "runtime/offline_engine.hpp"
#include "tilewright/base/error.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = interp_device();
constexpr int replays = 200;

TEST(GraphThreads, CaptureEachTheirOwn) {
  std::vector<std::thread> threads;
  std::atomic<int> ready{0};
  for (int i = 1; i <= 4; ++i) {
    threads.emplace_back([i, &ready] {
      auto z = host.zeros<f32>({4});
      increment(z.partition({4})).sync();  // compiled before the others start
      ready.fetch_add(1);
      while (ready.load() < 4) std::this_thread::yield();
      Graph graph = capture(host, [&] {
        for (int k = 0; k < i; ++k) increment(z.partition({4})).sync();
      });
      EXPECT_EQ(graph.nodes(), i);
      graph.sync();
      EXPECT_EQ(z.to_host(), std::vector<f32>(4, static_cast<f32>(i + 1)));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(GraphThreads, OwnerReadsWhileAnotherThreadReplays) {
  auto z = host.zeros<f32>({4096});
  Graph graph = capture(host, [&] { increment(z.partition({64})).sync(); });
  std::thread other([graph = std::move(graph)]() mutable {
    for (int i = 0; i < replays; ++i) graph.enqueue();
  });
  f32 last = 0;
  while (last < replays) {
    const std::vector<f32> values = z.to_host();
    ASSERT_EQ(std::count(values.begin(), values.end(), values.front()), 4096) << "a replay half done";
    ASSERT_GE(values.front(), last);
    last = values.front();
  }
  other.join();
}

TEST(GraphThreads, OwnerLaunchesWhileAnotherThreadReplays) {
  auto z = host.zeros<f32>({256});
  Graph graph = capture(host, [&] { increment(z.partition({64})).sync(); });
  std::thread other([graph = std::move(graph)]() mutable {
    for (int i = 0; i < replays; ++i) graph.enqueue();
  });
  for (int i = 0; i < replays; ++i) increment(z.partition({64})).sync();
  other.join();
  EXPECT_EQ(z.to_host(), std::vector<f32>(256, 2.0f * replays));
}

TEST(GraphThreads, ReadersSeeWholeReplays) {
  auto z = host.zeros<f32>({256});
  Graph graph = capture(host, [&] { increment(z.partition({64})).sync(); });
  const auto shared = std::move(z).share();
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([shared] {
      for (int i = 0; i < replays / 4; ++i) {
        auto [copy, same] = add_one(host.empty<f32>({256}).partition({64}), shared).sync();
        const std::vector<f32> values = copy.to_host();
        ASSERT_EQ(std::count(values.begin(), values.end(), values.front()), 256);
      }
    });
  }
  for (int i = 0; i < replays; ++i) graph.enqueue();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.to_host(), std::vector<f32>(256, 1.0f * replays));
}

TEST(GraphThreads, TwoGraphsOfTheSameMemory) {
  auto y = host.zeros<f32>({64}), z = host.zeros<f32>({64});
  Graph one = capture(host, [&] {
    increment(y.partition({64})).sync();
    increment(z.partition({64})).sync();
  });
  Graph two = capture(host, [&] {
    increment(z.partition({64})).sync();
    increment(y.partition({64})).sync();
  });
  const auto replay = [](Graph graph) {
    for (int i = 0; i < replays; ++i) graph.enqueue();
  };
  std::thread first(replay, std::move(one)), second(replay, std::move(two));
  first.join();
  second.join();
  EXPECT_EQ(y.to_host(), std::vector<f32>(64, 2.0f * replays));
  EXPECT_EQ(z.to_host(), std::vector<f32>(64, 2.0f * replays));
}

// ---- Failures ------------------------------------------------------------------------------------------------------
// A device whose n-th launch fails.
class failing_engine final : public detail::offline_engine {
 public:
  failing_engine() : offline_engine(compiler::target::interp) {}
  void run(const detail::compiled_launch&, detail::stream_queue&) override {
    if (++launches != failing) return;
    throw runtime_error({.what = "a launch failed", .where = "a test", .expected = {}, .got = {}, .fix = {}});
  }
  std::atomic<int> launches{0}, failing{0};
};

struct FailingGraph : testing::Test {
  // Never destroyed: streams end with the program.
  failing_engine& engine = *new failing_engine;
  const Device device{engine};
  Tensor<f32> y = device.zeros<f32>({4}), z = device.zeros<f32>({4});
  Graph graph = capture(device, [&] {
    increment(y.partition({4})).sync();
    add_one(z.partition({4}), y.borrow()).sync();
    increment(z.partition({4})).sync();
  });
};

TEST_F(FailingGraph, ThrowsInSyncAndRunsNoMoreOfThatReplay) {
  engine.failing = 2;
  EXPECT_THROW(graph.sync(), runtime_error);
  EXPECT_EQ(engine.launches, 2);
  EXPECT_NO_THROW(graph.sync());
  EXPECT_EQ(engine.launches, 5);
}

TEST_F(FailingGraph, ThrowsInSyncWhatFailedBefore) {
  engine.failing = 2;
  graph.enqueue();
  EXPECT_THROW(graph.sync(), runtime_error);
  EXPECT_EQ(engine.launches, 5);
  EXPECT_NO_THROW(graph.sync());
}

TEST_F(FailingGraph, TellsWhoeverReadsWhatItWrites) {
  engine.failing = 2;
  graph.enqueue();
  graph.enqueue();
  EXPECT_THROW((void)y.to_host(), runtime_error);
  EXPECT_THROW((void)z.to_host(), runtime_error);
  EXPECT_NO_THROW((void)y.to_host()) << "told already";
  EXPECT_THROW(device.stream().synchronize(), runtime_error);
  EXPECT_NO_THROW(device.stream().synchronize());
}

}  // namespace
}  // namespace tilewright::test
