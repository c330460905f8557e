// SPDX-License-Identifier: Apache-2.0
// Coroutines that await ops: what they give, what they throw, and that nothing is lost however they end.
#include "tilewright/runtime/task.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>

#include "unit/runtime/faulting_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = cpu_device(), other = interp_device();

Op<std::tuple<Tensor<f32>>> one_more(Tensor<f32> z) { return increment(std::move(z).partition({4})); }
Tensor<f32> four(const Device& device, f32 value = 0) { return device.full<f32>({4}, value); }

// ---- What a coroutine may do ---------------------------------------------------------------------------------------
Task<Tensor<f32>> add_times(Tensor<f32> z, int times) {
  for (int i = 0; i < times; ++i) {
    auto [next] = co_await increment(std::move(z).partition({4}));
    z = std::move(next);
  }
  co_return z;
}

TEST(Task, AwaitsOps) { EXPECT_EQ(add_times(four(host), 5).sync().to_host(), std::vector<f32>(4, 5)); }

Task<std::vector<f32>> await_of_every_kind(Device device) {
  auto [a] = co_await one_more(four(device));  // an op
  auto flying = one_more(std::move(a)).start();
  auto [b] = co_await std::move(flying);                                                    // work in flight
  Tensor<f32> c = co_await add_times(std::move(b), 2);                                      // a task
  auto [d, e] = co_await when_all(add_times(std::move(c), 1), add_times(four(device), 3));  // several
  auto [f, g] = co_await zip(one_more(std::move(d)), one_more(std::move(e)));
  std::vector<f32> values =
      co_await one_more(std::get<0>(std::move(f))).map([](auto given) { return std::get<0>(given).to_host(); });
  values.push_back(std::get<0>(g).to_host()[0]);
  co_return values;
}

TEST(Task, AwaitsWhateverEnds) {
  const std::vector<f32> expected = {7, 7, 7, 7, 4};
  EXPECT_EQ(await_of_every_kind(host).sync(), expected);
  EXPECT_EQ(await_of_every_kind(other).sync(), expected);
  EXPECT_EQ(spawn(await_of_every_kind(host)).wait(), expected);
}

Task<> set(std::shared_ptr<int> value, int to) {
  *value = to;
  co_return;
}
Task<int> twice_of(int value) { co_return 2 * value; }

TEST(Task, RunsNothingBeforeItIsRun) {
  const auto value = std::make_shared<int>(0);
  auto task = set(value, 3);
  EXPECT_EQ(*value, 0);
  std::move(task).sync();
  EXPECT_EQ(*value, 3);
  EXPECT_TRUE(set(value, 4).try_sync());
  EXPECT_EQ(*value, 4);
  set(value, 5).discard();
  EXPECT_EQ(*value, 4);
  EXPECT_EQ(value.use_count(), 1) << "what a task owns is freed with it";
}

TEST(Task, IsUsedOnce) {
  auto task = twice_of(4);
  EXPECT_EQ(std::move(task).sync(), 8);
  EXPECT_EQ(usage_of([&] { (void)std::move(task).sync(); }).what, "Task: a second use");
  task = twice_of(5);
  auto running = spawn(std::move(task));
  EXPECT_EQ(std::move(running).wait(), 10);
  EXPECT_EQ(usage_of([&] { (void)std::move(running).wait(); }).what, "Running: a second use");
}

int misuses = 0;
class MisuseOfTasks : public testing::Test {
 protected:
  void SetUp() override {
    misuses = 0;
    before_ = set_misuse_handler([](const char*) { ++misuses; });
  }
  void TearDown() override { set_misuse_handler(before_); }
  misuse_handler before_ = nullptr;
};

TEST_F(MisuseOfTasks, IsToldWhenOneIsDropped) {
  {
    auto task = twice_of(1);
    if (misuses > 0) std::move(task).discard();  // one path forgets it
  }
  EXPECT_EQ(misuses, 1);
  {
    auto running = spawn(twice_of(1));
    if (misuses > 1) std::move(running).detach();
  }
  EXPECT_EQ(misuses, 2);
  { [[maybe_unused]] const auto all = when_all(twice_of(1), twice_of(2)); }
  EXPECT_EQ(misuses, 4);
}

// A long loop of tasks and of ops that are done at once takes no stack.
Task<int> count_to(int most) {
  int sum = 0;
  for (int i = 0; i < most; ++i) sum += co_await twice_of(1);
  co_return sum;
}
TEST(Task, TakesNoStackForEachAwait) {
  EXPECT_EQ(count_to(200'000).sync(), 400'000);
  EXPECT_EQ(spawn(count_to(200'000)).wait(), 400'000);
}

// ---- when_all ------------------------------------------------------------------------------------------------------
Task<std::vector<Tensor<f32>>> many(Device device, int count) {
  std::vector<Task<Tensor<f32>>> tasks;
  for (int i = 0; i < count; ++i) tasks.push_back(add_times(four(device, static_cast<f32>(i)), i % 4));
  co_return co_await when_all(std::move(tasks));
}

TEST(WhenAll, GivesAVectorInOrder) {
  const auto tensors = many(host, 100).sync();
  ASSERT_EQ(tensors.size(), 100u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(tensors[static_cast<std::size_t>(i)].to_host()[0], static_cast<f32>(i + i % 4)) << i;
  }
  EXPECT_TRUE(many(host, 0).sync().empty());
}

Task<int> all_of_some_kinds(std::shared_ptr<int> value) {
  std::vector<Task<>> none;
  co_await when_all(std::move(none));
  auto [four_of_two, six_of_three] = co_await when_all(twice_of(2), set(value, 1), twice_of(3));
  co_return four_of_two + six_of_three;
}
TEST(WhenAll, LeavesOutWhatGivesNothing) {
  const auto value = std::make_shared<int>(0);
  EXPECT_EQ(all_of_some_kinds(value).sync(), 10);
  EXPECT_EQ(*value, 1);
}

Task<Tensor<f32>> on_stream(Stream stream, Tensor<f32> z) {
  auto [back] = co_await one_more(std::move(z)).start_on(stream);
  co_return std::move(back);
}
Task<Tensor<f32>> then_open(Tensor<f32> z, std::shared_ptr<stream_gate> gate) {
  auto [back] = co_await one_more(std::move(z));
  gate->open();
  co_return std::move(back);
}
Task<std::vector<f32>> one_unblocks_the_other(Stream slow, std::shared_ptr<stream_gate> gate) {
  auto [held, free] = co_await when_all(on_stream(slow, four(host)), then_open(four(host, 10), gate));
  std::vector<f32> values = held.to_host();
  values.push_back(free.to_host()[0]);
  co_return values;
}
TEST(WhenAll, LetsEachGoOnWhenItCan) {
  const std::vector<f32> expected = {1, 1, 1, 1, 11};
  for (const bool is_spawned : {false, true}) {
    const Stream slow = host.new_stream();
    const auto gate = std::make_shared<stream_gate>(slow);
    auto task = one_unblocks_the_other(slow, gate);
    EXPECT_EQ(is_spawned ? spawn(std::move(task)).wait() : std::move(task).sync(), expected);
  }
}

// ---- Failures ------------------------------------------------------------------------------------------------------
Task<std::vector<f32>> failing_op(Device device) {
  auto [z, x, pages] = co_await bad_pick(device);
  co_return z.to_host();
}
Task<std::vector<f32>> failing_flight(Device device) {
  auto flying = bad_pick(device).start();
  auto [z, x, pages] = co_await std::move(flying);
  co_return z.to_host();
}
Task<std::vector<f32>> failing_task(Device device) { co_return co_await failing_op(device); }
Task<std::vector<f32>> failing_part(Device device) {
  auto [first, second] = co_await when_all(add_times(four(device), 3), failing_flight(device));
  co_return std::move(second);
}
Task<std::vector<f32>> caught(Device device) {
  bool has_failed = false;
  try {
    (void)co_await failing_part(device);
  } catch (const device_fault&) {
    has_failed = true;
  }
  if (!has_failed) co_return {};
  auto [z, x, pages] = co_await good_pick(device);
  co_return z.to_host();
}

TEST(Task, ThrowsWhatFailedInAnAwaitAndTheDeviceGoesOn) {
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  for (const auto& failing : {failing_op, failing_flight, failing_task, failing_part}) {
    EXPECT_THROW((void)failing(host).sync(), device_fault);
    EXPECT_THROW((void)spawn(failing(host)).wait(), device_fault);
    auto result = failing(host).try_sync();
    EXPECT_FALSE(result);
    EXPECT_EQ(result.error().parts().got, "9");
    EXPECT_FALSE(spawn(failing(host)).try_wait());
  }
  EXPECT_EQ(caught(host).sync(), page_two) << "a coroutine may catch it and go on";
  EXPECT_EQ(spawn(caught(host)).wait(), page_two);
  EXPECT_NO_THROW(host.synchronize());
  EXPECT_EQ(host.memory().in_use_bytes, before);
}

Task<int> throws_after(int awaits) {
  Tensor<f32> z = co_await add_times(four(host), awaits);
  if (z.shape().rank() == 1) throw std::logic_error("mine");
  co_return 0;
}
TEST(Task, LetsForeignExceptionsThroughResultsToo) {
  for (const int awaits : {0, 1, 3}) {
    EXPECT_THROW((void)throws_after(awaits).sync(), std::logic_error);
    EXPECT_THROW((void)throws_after(awaits).try_sync(), std::logic_error);
    EXPECT_THROW((void)spawn(throws_after(awaits)).wait(), std::logic_error);
    EXPECT_THROW((void)spawn(throws_after(awaits)).try_wait(), std::logic_error);
  }
}

TEST(Task, IsNotRunInsideThen) {
  EXPECT_EQ(usage_of([] {
              (void)one_more(four(host))
                  .then([](auto given) {
                    set(std::make_shared<int>(), 1).sync();
                    return one_more(std::move(std::get<0>(given)));
                  })
                  .sync();
            }).what,
            "sync() inside a function given to then()");
}

}  // namespace
}  // namespace tilewright::test
