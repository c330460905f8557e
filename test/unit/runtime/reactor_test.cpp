// SPDX-License-Identifier: Apache-2.0
// Spawned tasks: many on one thread, cancelled wherever they are, destroyed wherever they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include "runtime/device_engine.hpp"
#include "runtime/task_driver.hpp"
#include "tilewright/runtime/task.hpp"
#include "unit/runtime/faulting_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = cpu_device();

Tensor<f32> four(f32 value = 0) { return host.full<f32>({4}, value); }
Op<std::tuple<Tensor<f32>>> one_more(Tensor<f32> z) { return increment(std::move(z).partition({4})); }

Task<std::vector<f32>> add_times(f32 first, int times) {
  Tensor<f32> z = four(first);
  for (int i = 0; i < times; ++i) {
    auto [next] = co_await one_more(std::move(z));
    z = std::move(next);
  }
  co_return z.to_host();
}

TEST(Spawned, ManyFromManyThreadsAllEnd) {
  constexpr int threads = 8, tasks = 40;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&wrong, t] {
      std::vector<Running<std::vector<f32>>> running;
      for (int i = 0; i < tasks; ++i) running.push_back(spawn(add_times(static_cast<f32>(t), i % 7)));
      for (int i = 0; i < tasks; ++i) {
        auto values = std::move(running[static_cast<std::size_t>(i)]).wait();
        if (values != std::vector<f32>(4, static_cast<f32>(t + i % 7))) ++wrong;
      }
    });
  }
  for (std::thread& each : all) each.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Spawned, RunOnOneThreadThatIsNotTheCallers) {
  struct here {
    static Task<std::thread::id> ask() { co_return std::this_thread::get_id(); }
  };
  const auto first = spawn(here::ask()).wait(), second = spawn(here::ask()).wait();
  EXPECT_TRUE(first == second);
  EXPECT_TRUE(first != std::this_thread::get_id());
  EXPECT_TRUE(here::ask().sync() == std::this_thread::get_id());
}

Task<Stream> its_stream() { co_return host.stream(); }
TEST(Spawned, ShareAFewStreams) {
  std::vector<Stream> seen;
  for (int i = 0; i < 20; ++i) {
    const Stream stream = spawn(its_stream()).wait();
    EXPECT_NE(stream, host.stream());
    if (std::find(seen.begin(), seen.end(), stream) == seen.end()) seen.push_back(stream);
  }
  EXPECT_EQ(seen.size(), 4u);
}

Task<int> waits_for_another() {
  auto inner = spawn(add_times(0, 1));
  try {
    (void)std::move(inner).wait();
  } catch (const usage_error& error) {
    co_return error.parts().what == "a spawned task waits for another one" ? 1 : 0;
  }
  co_return 0;
}
TEST(Spawned, DoNotWaitForEachOther) { EXPECT_EQ(spawn(waits_for_another()).wait(), 1); }

TEST(Spawned, DetachedGoesOnAlone) {
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  const auto ended = std::make_shared<std::promise<void>>();
  struct here {
    static Task<> tell(std::shared_ptr<std::promise<void>> when) {
      auto [z] = co_await one_more(four());
      when->set_value();
    }
    static Task<> fail() { (void)co_await bad_pick(host); }
  };
  spawn(here::tell(ended)).detach();
  spawn(here::fail()).detach();
  ended->get_future().wait();
  (void)spawn(add_times(0, 1)).wait();
  while (host.memory().in_use_bytes > before) std::this_thread::yield();  // what an earlier test left may go too
}

// ---- Cancellation --------------------------------------------------------------------------------------------------
// One task for each kind of await; each of them cannot go on before the gate of `slow` opens.
Task<int> in_flight(Stream slow) {
  auto [z] = co_await one_more(four()).start_on(slow);
  co_return 1;
}
// Its second op reads what the first one, on the slow stream, writes.
Shared<f32> written_slowly(Stream slow) {
  auto flying = one_more(four()).start_on(slow).release();
  return std::get<0>(flying.first->take()).share();
}
Task<int> in_an_op(Stream slow) {
  auto [z, x] = co_await add_one(four().partition({4}), written_slowly(slow));
  co_return 1;
}
Task<int> in_a_task(Stream slow) { co_return co_await in_flight(slow); }
Task<int> in_several(Stream slow) {
  auto [values, one] = co_await when_all(add_times(0, 3), in_flight(slow));
  co_return one;
}
Task<int> in_many(Stream slow) {
  std::vector<Task<int>> all;
  for (int i = 0; i < 10; ++i) all.push_back(in_a_task(slow));
  co_return (co_await when_all(std::move(all))).front();
}
Task<int> that_tries_again(Stream slow) {
  try {
    co_return co_await in_several(slow);
  } catch (const cancelled&) {
  }
  (void)co_await one_more(four());  // throws as well
  co_return 2;
}
using held_task = Task<int> (*)(Stream);
class Cancelled : public testing::TestWithParam<held_task> {
 protected:
  void SetUp() override {
    host.synchronize();
    before_ = host.memory().in_use_bytes;
    gate_.emplace(slow_);
  }
  void expect_end() {
    {
      const auto written = host.full<f32>({4}, 7.0f);  // never where work in flight still writes
      gate_->open();
      slow_.synchronize();
      (void)spawn(add_times(0, 1)).wait();
      host.synchronize();
      EXPECT_EQ(written.to_host(), std::vector<f32>(4, 7.0f));
    }
    EXPECT_EQ(host.memory().in_use_bytes, before_);
  }
  const Stream slow_ = host.new_stream();
  std::optional<stream_gate> gate_;
  std::size_t before_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Each, Cancelled,
                         testing::Values(in_flight, in_an_op, in_a_task, in_several, in_many, that_tries_again));

TEST_P(Cancelled, EndsWhereItAwaitsAndTheWorkKeepsItsMemory) {
  auto running = spawn(GetParam()(slow_));
  (void)spawn(add_times(0, 5)).wait();  // meanwhile it has come to its await
  EXPECT_FALSE(running.is_done());
  running.request_cancel();
  EXPECT_THROW((void)std::move(running).wait(), cancelled) << "although the gate is shut";
  expect_end();
}
TEST_P(Cancelled, IsWaitedForByCancel) {
  auto running = spawn(GetParam()(slow_));
  (void)spawn(add_times(0, 5)).wait();
  std::move(running).cancel();
  expect_end();
}
TEST_P(Cancelled, BeforeItBeginsOrSoonAfter) {
  for (int i = 0; i < 50; ++i) {
    auto running = spawn(GetParam()(slow_));
    running.request_cancel();
    auto result = std::move(running).try_wait();
    ASSERT_FALSE(result);
    EXPECT_STREQ(result.error().parts().what.c_str(), "a task was cancelled");
  }
  expect_end();
}

TEST(Cancel, OfATaskThatHasEndedChangesNothing) {
  auto running = spawn(add_times(1, 1));
  while (!running.is_done()) std::this_thread::yield();
  running.request_cancel();
  EXPECT_EQ(std::move(running).wait(), std::vector<f32>(4, 2));
}

TEST(Cancel, LeavesOtherTasksAlone) {
  for (int round = 0; round < 20; ++round) {
    std::vector<Running<std::vector<f32>>> running;
    for (int i = 0; i < 20; ++i) running.push_back(spawn(add_times(0, 20)));
    for (std::size_t i = 0; i < running.size(); i += 2) running[i].request_cancel();
    for (std::size_t i = 0; i < running.size(); ++i) {
      auto result = std::move(running[i]).try_wait();
      if (i % 2 == 1) {
        ASSERT_TRUE(result);
        EXPECT_EQ(std::move(result).value(), std::vector<f32>(4, 20));
      } else {
        (void)static_cast<bool>(result);  // it may have been fast
      }
    }
  }
}

// ---- Destroyed where they await ------------------------------------------------------------------------------------
TEST_P(Cancelled, OrDestroyedWhereItAwaitsLosesNothing) {
  {
    const std::atomic<bool> is_wanted = true;
    detail::task_driver driver(&is_wanted);
    detail::task_context context;
    context.driver = &driver;
    const detail::task_owner<int> frame = GetParam()(slow_).release();
    frame.promise().context = &context;
    driver.make_ready(frame.promise());
    while (driver.has_ready()) driver.run_one();
    EXPECT_TRUE(driver.has_pending());
  }
  expect_end();
}
TEST_P(Cancelled, OrDestroyedBeforeItsPartsBegin) {
  {
    const std::atomic<bool> is_wanted = true;
    detail::task_driver driver(&is_wanted);
    detail::task_context context;
    context.driver = &driver;
    const detail::task_owner<int> frame = GetParam()(slow_).release();
    frame.promise().context = &context;
    driver.make_ready(frame.promise());
    driver.run_one();
  }
  expect_end();
}

// ---- The end of the program ----------------------------------------------------------------------------------------
Task<> endless() {
  for (;;) {
    auto [z] = co_await one_more(four());
  }
}
class EndlessDeathTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Tasks, EndlessDeathTest, testing::Values(1, 10), testing::PrintToStringParamName());
TEST_P(EndlessDeathTest, DoesNotKeepTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        for (int i = 0; i < GetParam(); ++i) spawn(endless()).detach();
        (void)spawn(its_stream()).wait();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}
// Its work is short and nothing else is to do, so the thread of spawned tasks runs it.
TEST(Spawned, ThatNeverAwaitsLongLeavesTheThreadToOthers) {
  auto alone = spawn(endless());
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    EXPECT_EQ(spawn(add_times(1, 3)).wait(), std::vector<f32>(4, 4.0f));
  }
  alone.request_cancel();
  EXPECT_THROW(std::move(alone).wait(), cancelled);
}

std::atomic<int> compiled = -1;  // none has begun
// Each round compiles a kernel.
Task<> compile_for_ever() {
  for (index_t size = 3;; ++size) {
    compiled = static_cast<int>(size) - 3;
    compiled.notify_all();
    auto [z] = co_await increment(host.zeros<f32>({size}).partition({size}));
  }
}
class CompilingDeathTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kernel, CompilingDeathTest, testing::Values(0, 1, 2, 3, 5, 8),
                         testing::PrintToStringParamName());

// The libraries that the compiler is made of must not end under it.
TEST_P(CompilingDeathTest, IsWaitedForWhenTheProgramEnds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::setenv("TILEWRIGHT_CACHE_DIR", "off", 1);
        spawn(compile_for_ever()).detach();
        for (int now = compiled; now < GetParam(); now = compiled) compiled.wait(now);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

Task<> ends_the_program() {
  std::exit(3);
  co_return;
}
TEST(SpawnedDeathTest, MayEndTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(spawn(ends_the_program()).wait(), testing::ExitedWithCode(3), "");
}

// Made before the reactor, so it ends behind it.
struct spawns_too_late {
  bool is_armed = false;
  ~spawns_too_late() {
    if (!is_armed) return;
    try {
      spawn(its_stream()).detach();
    } catch (const usage_error& error) {
      std::fputs(error.what(), stderr);
    }
  }
} too_late;
TEST(SpawnedDeathTest, WhenTheProgramEndsAreRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        (void)spawn(its_stream()).wait();
        too_late.is_armed = true;
        std::exit(0);
      },
      testing::ExitedWithCode(0), "a task is spawned when the program ends");
}

// ---- Waking --------------------------------------------------------------------------------------------------------
TEST(Signals, AreSetWhenTheEntryIsDone) {
  const Stream stream = host.new_stream();
  const auto first = std::make_shared<detail::wake_signal>(), last = std::make_shared<detail::wake_signal>();
  stream_gate gate(stream);
  detail::stream_queue& queue = stream.queue();
  const auto nothing = [](void*, detail::stream_queue&) {};
  const std::uint64_t one = queue.push({nothing, nullptr, nullptr}), two = queue.push({nothing, nullptr, nullptr});
  ASSERT_TRUE(queue.signal_when_done(two, last));
  ASSERT_TRUE(queue.signal_when_done(one, first));
  first->wait_at_most(1);
  gate.open();
  first->wait();
  last->wait();
  ASSERT_TRUE(queue.signal_when_done(one, first));
  first->wait();  // at once: it is done already
}

}  // namespace
}  // namespace tilewright::test
