// SPDX-License-Identifier: Apache-2.0
// Results and tasks on a GPU, which the reactor has to ask, and which fails at every call.
#include "tilewright/runtime/task.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "tilewright/lang/lang.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

Task<std::vector<f32>> add_times(Device device, int times) {
  Tensor<f32> z = device.zeros<f32>({4});
  for (int i = 0; i < times; ++i) {
    auto [next] = co_await increment(std::move(z).partition({4}));
    z = std::move(next);
  }
  co_return z.to_host();
}
Task<std::vector<f32>> on_streams_of_their_own(Device device) {
  std::vector<Task<std::vector<f32>>> all;
  for (int i = 0; i < 6; ++i) all.push_back(add_times(device, i));
  const auto values = co_await when_all(std::move(all));
  std::vector<f32> firsts;
  for (const auto& each : values) firsts.push_back(each.front());
  co_return firsts;
}

TEST(TaskOnCuda, GivesWhatItComputes) {
  fake_place here;
  on_own_thread([&] {
    EXPECT_EQ(add_times(here.device(), 3).sync(), std::vector<f32>(4, 3));
    EXPECT_EQ(spawn(add_times(here.device(), 3)).wait(), std::vector<f32>(4, 3));
    EXPECT_EQ(on_streams_of_their_own(here.device()).sync(), (std::vector<f32>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(spawn(on_streams_of_their_own(here.device())).wait(), (std::vector<f32>{0, 1, 2, 3, 4, 5}));
  });
  EXPECT_EQ(here.device().memory().in_use_bytes, 0u);
}

Task<int> awaits_once(Device device, std::shared_ptr<std::promise<void>> begins) {
  auto flying = increment(device.zeros<f32>({4}).partition({4})).start();
  begins->set_value();
  auto [z] = co_await std::move(flying);
  co_return 1;
}

// A GPU that is late runs nothing until somebody waits by a call of the driver; asking it is no such call.
class OnALateGpu : public testing::Test {
 protected:
  void SetUp() override { here.driver.set_delayed(true); }
  Running<int> begun() {
    const auto begins = std::make_shared<std::promise<void>>();
    auto running = spawn(awaits_once(here.device(), begins));
    begins->get_future().wait();
    return running;
  }
  fake_place here;
};

TEST_F(OnALateGpu, ASpawnedTaskOnlyAsksAndGoesOnWhenTheWorkIsDone) {
  on_own_thread([&] {
    auto running = begun();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    EXPECT_FALSE(running.is_done()) << "the reactor did not wait for the GPU";
    here.driver.set_delayed(false);
    EXPECT_EQ(std::move(running).wait(), 1);
  });
}

TEST_F(OnALateGpu, ACancelledTaskEndsAtOnceAndItsWorkKeepsItsMemory) {
  on_own_thread([&] {
    begun().cancel();
    here.driver.set_delayed(false);
    here.device().synchronize();
    EXPECT_EQ(here.device().memory().in_use_bytes, 0u);
  });
}

TEST(ResultOnCuda, OfALaunchThatFailsKeepsTheArguments) {
  fake_place here;
  on_own_thread([&] {
    const Device device = here.device();
    const auto x = device.full<f32>({4}, 2).share();
    here.driver.fail_next("cuLaunchKernel", cuda::result::launch_out_of_resources);
    auto result = add_one(device.zeros<f32>({4}).partition({4}), x).try_sync();
    EXPECT_FALSE(result);
    auto arguments = std::move(result).arguments();
    EXPECT_TRUE(arguments.has_value());
    auto& [z, same] = *arguments;
    EXPECT_EQ(same.to_host(), std::vector<f32>(4, 2));
    EXPECT_THROW((void)z.to_host(), driver_error) << "it holds nothing that was computed";
    EXPECT_THROW((void)increment(z.partition({4})).try_sync().value(), driver_error);
    auto [again, x2] = add_one(std::move(z).partition({4}), std::move(same)).sync();
    EXPECT_EQ(again.to_host(), std::vector<f32>(4, 3)) << "written anew";
    EXPECT_NO_THROW(device.synchronize());
  });
}

// Ends with a value, or with a typed error; never with something else, and never not at all.
void use_tasks(const Device& device) {
  auto first = spawn(add_times(device, 3)), second = spawn(on_streams_of_their_own(device));
  auto one = std::move(first).try_wait();
  auto two = std::move(second).try_wait();
  auto three = add_times(device, 2).try_sync();
  if (one) {
    EXPECT_EQ(std::move(one).value(), std::vector<f32>(4, 3));
  }
  if (two) {
    EXPECT_EQ(std::move(two).value().back(), 5);
  }
  if (three) {
    EXPECT_EQ(std::move(three).value(), std::vector<f32>(4, 2));
  }
}

TEST(TaskOnCuda, GivesATypedErrorWhateverCallFails) {
  std::int64_t calls = 0;
  {
    fake_place here;
    const std::int64_t before = here.driver.calls();
    on_own_thread([&] { use_tasks(here.device()); });
    calls = here.driver.calls() - before;
  }
  ASSERT_GT(calls, 50);
  for (std::int64_t n = 1; n <= calls; ++n) {
    SCOPED_TRACE("call " + std::to_string(n) + " of " + std::to_string(calls));
    fake_place here;
    here.driver.fail_call(n, cuda::result::not_supported);
    on_own_thread([&] { use_tasks(here.device()); });
    here.driver.fail_call(0, cuda::result::not_supported);
    on_own_thread([&] {
      try {
        here.device().synchronize();
      } catch (const runtime_error&) {  // of work that a task with another failure left in flight
      }
      use_tasks(here.device());
    });
    EXPECT_EQ(here.device().memory().in_use_bytes, 0u);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tilewright::test
