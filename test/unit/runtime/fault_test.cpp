// SPDX-License-Identifier: Apache-2.0
// Launches in which a residual check fails: who gets the fault, and that nothing else is lost.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/graph.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = cpu_device();
constexpr int line_of_load = __LINE__ + 5;

// z block b is tile pages[b] of x.
inline constexpr auto pick = kernel<"pick">([](Block b, Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
  auto page = to_index(reshape(pages.load(tile<1>, b.pid(0)), tile<>));
  z.store(x.load(tile<B>, page));
});
// Adds to what is there.
inline constexpr auto accumulate =
    kernel<"accumulate">([](Block b, InOut<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
      auto page = to_index(reshape(pages.load(tile<1>, b.pid(0)), tile<>));
      z.store(z.load() + x.load(tile<B>, page));
    });
inline constexpr auto quotient = kernel<"quotient">(
    [](Out<i32, B> z, In<i32, dyn> x, In<i32, dyn> d) { z.store(load_like(x, z) / load_like(d, z)); });

Shared<f32> table() { return host.iota<f32>({16}).share(); }  // 4 tiles of 4
Shared<i32> list(const std::vector<i32>& pages) {
  return host.from_host(pages, {static_cast<index_t>(pages.size())}).share();
}
const std::vector<f32> third = {8, 9, 10, 11};

template <class Run>
report fault_in(Run run) {
  try {
    run();
  } catch (const device_fault& fault) {
    return fault.parts();
  }
  ADD_FAILURE() << "no device_fault";
  return {};
}

TEST(Fault, NamesKernelLineRuleAndValues) {
  const report told = fault_in([] { (void)pick(host.zeros<f32>({8}).partition({4}), table(), list({0, 9})).sync(); });
  EXPECT_EQ(told.what, "a check failed in a kernel: a tile index of parameter 1 (In) on axis 0 stays within the tiles");
  EXPECT_EQ(told.where, "kernel 'pick' at fault_test.cpp:" + std::to_string(line_of_load));
  EXPECT_EQ(told.expected, "0 to 3");
  EXPECT_EQ(told.got, "9");
  EXPECT_NE(told.fix.find("clamp it in the kernel"), std::string::npos);
}

TEST(Fault, NamesADivisor) {
  const report told = fault_in([] {
    (void)quotient(host.zeros<i32>({4}).partition({4}), list({1, 2, 3, 4}), list({1, 1, 0, 1})).sync();
  });
  EXPECT_EQ(told.what, "a check failed in a kernel: a divisor is not zero");
  EXPECT_EQ(told.got, "0");
}

TEST(Fault, IsThrownOnceAndLosesTheOutputsOnly) {
  const auto x = table();
  const auto good = list({2}), bad = list({-1});
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  EXPECT_THROW((void)pick(host.zeros<f32>({4}).partition({4}), x, bad).sync(), device_fault);
  EXPECT_NO_THROW(host.stream().synchronize());
  EXPECT_NO_THROW(host.synchronize());
  EXPECT_EQ(host.memory().in_use_bytes, before) << "the lost output is freed";
  auto [z, x2, again] = pick(host.zeros<f32>({4}).partition({4}), x, good).sync();
  EXPECT_EQ(z.to_host(), third);
  EXPECT_EQ(x.to_host(), counted(16));
}

TEST(Fault, IsThrownByWait) {
  const auto x = table();
  const auto bad = list({4}), good = list({2});
  auto lost = pick(host.zeros<f32>({4}).partition({4}), x, bad).start();
  auto kept = pick(host.zeros<f32>({4}).partition({4}), x, good).start();
  auto [z, x2, pages] = std::move(kept).wait();
  EXPECT_EQ(z.to_host(), third);
  EXPECT_THROW((void)std::move(lost).wait(), device_fault);
}

TEST(Fault, OfADetachedLaunchReachesTheStream) {
  const Stream stream = host.new_stream();
  pick(host.zeros<f32>({4}).partition({4}), table(), list({4})).start_on(stream).detach();
  EXPECT_THROW(stream.synchronize(), device_fault);
  EXPECT_NO_THROW(stream.synchronize());
}

// ---- Chains ---------------------------------------------------------------------------------------------------------
TEST(Fault, OfAChainIsThatOfItsFirstOp) {
  const Stream stream = host.new_stream();
  const auto next = [](auto given, Shared<f32> x, Shared<i32> pages) {
    auto& [z, before, bad] = given;
    return accumulate(std::move(z).partition({4}), x, pages);
  };
  const report told = fault_in([&] {
    (void)pick(host.zeros<f32>({4}).partition({4}), table(), list({70}))
        .then(next, table(), list({80}))
        .sync_on(stream);
  });
  EXPECT_EQ(told.got, "70");
  EXPECT_NO_THROW(stream.synchronize()) << "what came of the first fault is told with it";
}

TEST(Fault, InAChainLeavesOtherLaunchesOfTheStreamAlone) {
  const Stream stream = host.new_stream();
  stream_gate gate(stream);
  const auto next =
      [](auto given, Stream where,
         std::shared_ptr<std::vector<InFlight<std::tuple<Tensor<f32>, Shared<f32>, Shared<i32>>>>> others) {
        auto& [z, x, pages] = given;
        others->push_back(pick(host.zeros<f32>({4}).partition({4}), table(), list({50})).start_on(where));
        return increment(std::move(z).partition({4}));
      };
  const auto others = std::make_shared<std::vector<InFlight<std::tuple<Tensor<f32>, Shared<f32>, Shared<i32>>>>>();
  auto chain =
      pick(host.zeros<f32>({4}).partition({4}), table(), list({2})).then(next, stream, others).start_on(stream);
  gate.open();
  auto [z] = std::move(chain).wait();  // the fault between its two tickets is not its own
  EXPECT_EQ(z.to_host(), counted(4, 9));
  EXPECT_EQ(fault_in([&] { (void)std::move(others->front()).wait(); }).got, "50");
}

// ---- Tensors that a faulting launch only borrowed -------------------------------------------------------------------
TEST(Fault, PoisonsABorrowedOutputUntilAllOfItIsWritten) {
  const auto x = table();
  const auto good = list({2, 0}), bad = list({2, 7});
  auto z = host.zeros<f32>({8});
  EXPECT_EQ(fault_in([&] { pick(z.partition({4}), x.borrow(), bad.borrow()).sync(); }).got, "7");
  EXPECT_EQ(fault_in([&] { (void)z.to_host(); }).got, "7") << "reading it tells why";
  auto w = host.zeros<f32>({8});
  EXPECT_EQ(fault_in([&] { add_one(w.partition({4}), z.borrow()).sync(); }).got, "7")
      << "so does a launch that reads it";
  EXPECT_EQ(fault_in([&] { (void)w.to_host(); }).got, "7") << "and what that wrote is lost too";
  EXPECT_EQ(fault_in([&] { increment(z.partition({4})).sync(); }).got, "7");

  pick(z.slice(0, 0, 4).partition({4}), x.borrow(), good.borrow()).sync();
  EXPECT_EQ(fault_in([&] { (void)z.to_host(); }).got, "7") << "half of it is still lost";
  pick(z.partition({4}), x.borrow(), good.borrow()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{8, 9, 10, 11, 0, 1, 2, 3}));
  add_one(w.partition({4}), z.borrow()).sync();
  EXPECT_EQ(w.to_host()[0], 9);
}

TEST(Fault, FollowsATensorIntoAnotherStream) {
  const Stream first = host.new_stream(), second = host.new_stream();
  auto z = host.zeros<f32>({4});
  stream_gate gate(first);
  const auto bad = list({9});
  auto held = std::make_shared<std::vector<Shared<f32>>>();
  const auto next = [](auto given, std::shared_ptr<std::vector<Shared<f32>>> kept) {
    auto& [lost, x, pages] = given;
    kept->push_back(std::move(lost).share());
    return add_one(host.zeros<f32>({4}).partition({4}), kept->front());
  };
  auto chain = pick(std::move(z).partition({4}), table(), bad).then(next, held).start_on(first);
  auto reader = add_one(host.zeros<f32>({4}).partition({4}), held->front()).start_on(second);
  gate.open();
  EXPECT_THROW((void)std::move(chain).wait(), device_fault);
  EXPECT_THROW((void)std::move(reader).wait(), device_fault);
  EXPECT_EQ(fault_in([&] { (void)held->front().to_host(); }).got, "9");
}

// ---- Prepared launches ----------------------------------------------------------------------------------------------
TEST(Fault, LeavesAPreparedLaunchUsable) {
  auto prepared = prepare(pick(host.zeros<f32>({4}).partition({4}), table(), list({2})));
  for (int n = 0; n < 3; ++n) prepared.sync();
  auto [z, x, good] = std::move(prepared).finish();
  EXPECT_EQ(z.to_host(), third);

  auto failing = prepare(pick(std::move(z).partition({4}), x, list({5})));
  EXPECT_EQ(fault_in([&] { failing.sync(); }).got, "5");
  EXPECT_EQ(fault_in([&] { failing.sync(); }).got, "5");
  failing.enqueue();
  EXPECT_EQ(fault_in([&] { (void)std::move(failing).finish(); }).got, "5");
}

TEST(Fault, IsForgottenByAPreparedLaunchThatWritesItsOutputAnew) {
  const auto x = table();
  const auto bad = list({5});
  auto z = host.zeros<f32>({4});
  EXPECT_THROW(pick(z.partition({4}), x.borrow(), bad.borrow()).sync(), device_fault);
  auto unchecked = prepare(add_one(std::move(z).partition({4}), host.zeros<f32>({4}).share()));
  unchecked.enqueue();
  auto [back, zeros] = std::move(unchecked).finish();
  EXPECT_EQ(back.to_host(), std::vector<f32>(4, 1));

  auto never = host.zeros<f32>({4});
  EXPECT_THROW(pick(never.partition({4}), x.borrow(), bad.borrow()).sync(), device_fault);
  auto unused = prepare(add_one(std::move(never).partition({4}), std::move(zeros)));
  EXPECT_THROW((void)std::move(unused).finish(), device_fault) << "nothing was written";
}

TEST(Fault, OfAnEarlierRunStaysWithWhatLaterRunsAddTo) {
  auto sums = prepare(accumulate(host.zeros<f32>({4}).partition({4}), table(), list({6})));
  sums.enqueue();
  sums.enqueue();
  EXPECT_EQ(fault_in([&] { (void)std::move(sums).finish(); }).got, "6");
  EXPECT_NO_THROW(host.synchronize()) << "the second run failed by the first";
}

// ---- Graphs ---------------------------------------------------------------------------------------------------------
TEST(Fault, OfAGraphLosesWhatItsNodeWroteAndWhatCameOfThat) {
  const auto x = table();
  const auto head = x.slice(0, 0, 4);
  auto pages = host.from_host(std::vector<i32>{9}, {1});
  auto lost = host.zeros<f32>({4}), follows = host.zeros<f32>({4}), good = host.zeros<f32>({4});
  Graph graph = capture(host, [&] {
    pick(lost.partition({4}), x.borrow(), pages.borrow()).sync();
    add_one(follows.partition({4}), lost.borrow()).sync();
    add_one(good.partition({4}), head.borrow()).sync();
  });
  EXPECT_EQ(fault_in([&] { graph.sync(); }).got, "9");
  EXPECT_EQ(fault_in([&] { (void)lost.to_host(); }).got, "9");
  EXPECT_EQ(fault_in([&] { (void)follows.to_host(); }).got, "9");
  EXPECT_EQ(good.to_host(), counted(4, 1));

  pages = host.from_host(std::vector<i32>{2}, {1});
  graph.update([&] {
    pick(lost.partition({4}), x.borrow(), pages.borrow()).sync();
    add_one(follows.partition({4}), lost.borrow()).sync();
    add_one(good.partition({4}), head.borrow()).sync();
  });
  graph.sync();
  EXPECT_EQ(lost.to_host(), third);
  EXPECT_EQ(follows.to_host(), counted(4, 9));
}

// ---- Many ----------------------------------------------------------------------------------------------------------
TEST(Fault, OfEveryTenthOfAThousandLaunchesHarmsNoOther) {
  const auto x = table();
  const auto good = list({2}), bad = list({17});
  std::vector<InFlight<std::tuple<Tensor<f32>, Shared<f32>, Shared<i32>>>> flying;
  for (int n = 0; n < 1000; ++n) {
    flying.push_back(pick(host.zeros<f32>({4}).partition({4}), x, n % 10 == 3 ? bad : good).start());
  }
  for (int n = 0; n < 1000; ++n) {
    if (n % 10 == 3) {
      EXPECT_THROW((void)std::move(flying[static_cast<std::size_t>(n)]).wait(), device_fault) << n;
      continue;
    }
    auto [z, x2, pages] = std::move(flying[static_cast<std::size_t>(n)]).wait();
    EXPECT_EQ(z.to_host(), third) << n;
  }
  EXPECT_NO_THROW(host.synchronize());
}

TEST(Fault, GoesToTheThreadWhoseLaunchItIs) {
  const auto x = table();
  const auto good = list({2});
  const Stream shared_stream = host.new_stream();
  std::atomic<int> wrong = 0, faults = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      const Stream own = host.new_stream();
      const auto bad = list({100 + thread});
      for (int n = 0; n < 200; ++n) {
        const Stream& where = n % 2 == 0 ? shared_stream : own;
        const bool fails = n % 5 == thread;
        try {
          auto [z, x2, pages] = pick(host.zeros<f32>({4}).partition({4}), x, fails ? bad : good).sync_on(where);
          if (fails || z.to_host() != third) ++wrong;
        } catch (const device_fault& fault) {
          ++faults;
          if (!fails || fault.parts().got != std::to_string(100 + thread)) ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(faults, 4 * 40);
}

}  // namespace
}  // namespace tilewright::test
