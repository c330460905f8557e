// SPDX-License-Identifier: Apache-2.0
// Whatever call of the driver fails: a typed error or the right result, nothing lost, and the device goes on. A lost
// context is said at every wait, and nothing hangs.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

// A kernel with a check that only the GPU can make.
inline constexpr auto pick = kernel<"pick">([](Block b, Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
  auto page = to_index(reshape(pages.load(tile<1>, b.pid(0)), tile<>));
  z.store(x.load(tile<B>, page));
});

// Allocates, copies both ways in one piece and in many, fills, launches on streams that wait for each other, with and
// without a check, lets work fly, copies rows to and from pinned memory in a scope and in flight, and waits.
void use_everything(const Device& device) {
  static const std::vector<f32> values = counted(2'500'000);
  const Shared<f32> large = device.from_host(values, {2'500'000}).share();
  ASSERT_EQ(large.to_host().back(), values.back());
  const Shared<f64> third = device.full<f64>({9}, 1.0 / 3.0).share();
  ASSERT_EQ(third.to_host().back(), 1.0 / 3.0);
  const Shared<f32> x = device.full<f32>({100}, 2.0f).share();
  const Shared<i32> page = device.full<i32>({1}, 3).share();
  ASSERT_EQ(std::get<0>(pick(device.empty<f32>({10}).partition({10}), x, page).sync()).to_host().front(), 2.0f);
  const Stream other = device.new_stream();
  auto prepared = prepare(increment(device.zeros<f32>({100}).partition({10})));
  for (int i = 0; i < 300; ++i) prepared.enqueue();
  prepared.enqueue_on(other);
  add_one(device.empty<f32>({100}).partition({10}), x).start().detach();
  auto [y, same] = add_one(device.empty<f32>({100}).partition({10}), x).sync_on(other);
  ASSERT_EQ(y.to_host(), std::vector<f32>(100, 3.0f));
  prepared.sync();
  auto [z] = std::move(prepared).finish();
  ASSERT_EQ(z.to_host(), std::vector<f32>(100, 302.0f));
  auto rows = device.zeros<f32>({10, 10});
  auto pinned = device.host_buffer<f32>({10, 4});
  std::fill(pinned.span().begin(), pinned.span().end(), 1.0f);
  scope([&](Scope& s) { s.start_on(other, copy(rows.slice(1, 2, 6).all(), pinned.borrow())); });
  auto [read, view] = copy(device.host_buffer<f32>({10, 4}), std::move(rows).share().slice(1, 2, 6)).start().wait();
  ASSERT_EQ(read.span()[39], 1.0f);
  device.synchronize();
}

std::int64_t calls_of_a_clean_run(bool is_delayed) {
  fake_place here;
  here.driver.set_delayed(is_delayed);
  const std::int64_t before = here.driver.calls();
  on_own_thread([&] { use_everything(here.device()); });
  return here.driver.calls() - before;
}

// One failing call in one use of everything; then again without.
struct outcome {
  bool has_error = false;
  std::string call;
};
outcome fail_one(std::int64_t n, cuda::result code, bool is_delayed) {
  outcome seen;
  fake_place here;
  here.driver.set_delayed(is_delayed);
  here.driver.fail_call(n, code);
  on_own_thread([&] {
    try {
      use_everything(here.device());
    } catch (const runtime_error& error) {
      seen.has_error = true;
      EXPECT_FALSE(error.parts().fix.empty());
    }
  });
  seen.call = here.driver.failed_call();
  here.driver.fail_call(0, code);  // never
  on_own_thread([&] {
    try {
      here.device().synchronize();  // takes what nobody waited for
    } catch (const runtime_error&) {
      seen.has_error = true;
    }
    use_everything(here.device());
    here.device().release_cached_memory();
    EXPECT_EQ(here.device().memory().in_use_bytes, 0u);
  });
  return seen;
}

class EveryCall : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Fails, EveryCall, testing::Bool(),
                         [](const auto& each) { return each.param ? "Delayed" : "AtOnce"; });

TEST_P(EveryCall, GivesATypedErrorOrTheRightResult) {
  const std::int64_t calls = calls_of_a_clean_run(GetParam());
  ASSERT_GT(calls, 300);
  int errors = 0;
  const std::int64_t step = GetParam() ? 3 : 1;  // the middle is one launch after the other
  for (std::int64_t n = 1; n <= calls; n += n < 130 || n + 130 > calls ? step : 41) {
    SCOPED_TRACE("call " + std::to_string(n) + " of " + std::to_string(calls));
    const outcome seen = fail_one(n, cuda::result::not_supported, GetParam());
    errors += seen.has_error ? 1 : 0;
    if (HasFailure()) FAIL() << seen.call;
  }
  EXPECT_GT(errors, GetParam() ? 30 : 80);
}

TEST(MissingMemory, IsToldFromOtherFailuresOrGotOver) {
  const std::int64_t calls = calls_of_a_clean_run(false);
  for (std::int64_t n = 1; n <= std::min<std::int64_t>(calls, 120); n += 2) {
    SCOPED_TRACE("call " + std::to_string(n));
    fail_one(n, cuda::result::out_of_memory, false);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MissingMemory, OfPinnedBuffersOnlyCostsSpeed) {
  fake_place here;
  here.driver.fail_next("cuMemHostAlloc", cuda::result::out_of_memory);
  on_own_thread([&] {
    const std::vector<f32> values = counted(1'000'000);
    EXPECT_TRUE(here.device().from_host(values, {1'000'000}).to_host() == values);
  });
}

TEST(FailedLaunch, IsDeliveredToWhoWaitsAndTheStreamGoesOn) {
  fake_place here;
  on_own_thread([&] {
    const Device device = here.device();
    auto first = increment(device.zeros<f32>({4}).partition({4})).start();
    here.driver.fail_next("cuLaunchKernel", cuda::result::launch_out_of_resources);
    auto second = increment(device.zeros<f32>({4}).partition({4})).start();
    auto third = increment(device.zeros<f32>({4}).partition({4})).start();
    EXPECT_EQ(std::get<0>(std::move(third).wait()).to_host(), std::vector<f32>(4, 1.0f));
    EXPECT_THROW((void)std::move(second).wait(), driver_error);
    EXPECT_EQ(std::get<0>(std::move(first).wait()).to_host(), std::vector<f32>(4, 1.0f));
  });
}

TEST(LostContext, IsSaidAtEveryWaitAndNothingHangs) {
  fake_place here;
  on_own_thread([&] {
    const Device device = here.device();
    Tensor<f32> held = device.zeros<f32>({4});
    auto flying = increment(device.zeros<f32>({4}).partition({4})).start();
    auto prepared = prepare(increment(device.zeros<f32>({4}).partition({4})));
    prepared.enqueue();
    here.driver.lose_context(cuda::result::illegal_address);
    for (int i = 0; i < 3; ++i) {
      try {
        prepared.sync();
        ADD_FAILURE() << "no driver_error";
      } catch (const driver_error& error) {
        EXPECT_EQ(error.parts().what, "the GPU's context is lost");
        EXPECT_NE(error.parts().got.find("700"), std::string::npos);
      }
    }
    EXPECT_THROW((void)std::move(flying).wait(), driver_error);
    EXPECT_THROW((void)held.to_host(), driver_error);
    EXPECT_THROW((void)device.zeros<f32>({4}), driver_error);
    EXPECT_THROW(device.synchronize(), driver_error);
  });
  EXPECT_EQ(here.device().memory().in_use_bytes, 0u) << "what was in flight holds nothing any more";
  here.driver.lose_context(cuda::result::success);  // so that the driver takes back what it would take at exit
}

TEST(OtherContexts, OfTheCallerStayCurrent) {
  fake_place here(2);
  on_own_thread([&] {
    fake_cuda_engine second(here.driver, 1);
    const cuda::driver_table& driver = here.driver.table();
    cuda::context_handle theirs = nullptr, now = nullptr;
    ASSERT_EQ(driver.primary_context_retain.function(&theirs, 1), cuda::result::success);
    ASSERT_EQ(driver.context_set_current.function(theirs), cuda::result::success);
    on_own_thread([&] {
      ASSERT_EQ(driver.context_set_current.function(theirs), cuda::result::success);
      auto prepared = prepare(increment(here.device().zeros<f32>({4}).partition({4})));
      for (int i = 0; i < 3; ++i) {  // the first leaves nothing to do but the launch
        prepared.sync();
        ASSERT_EQ(driver.context_current.function(&now), cuda::result::success);
        EXPECT_EQ(now, theirs);
      }
      auto graph = capture(here.device(), [&] { prepared.enqueue(); });
      graph.sync();
      ASSERT_EQ(driver.context_current.function(&now), cuda::result::success);
      EXPECT_EQ(now, theirs);
      auto [z] = std::move(prepared).finish();
      EXPECT_EQ(z.to_host(), std::vector<f32>(4, 4.0f));
    });
    ASSERT_EQ(driver.primary_context_release.function(1), cuda::result::success);
  });
}

TEST(OtherThreads, LaunchThoughTheyHaveNoContextYet) {
  fake_place here;
  const Stream stream = here.device().new_stream();
  auto prepared = prepare(increment(here.device().zeros<f32>({4}).partition({4})));
  on_own_thread([&] { prepared.enqueue_on(stream); });
  auto [z] = std::move(prepared).finish();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

TEST(SeveralDevices, DoNotMix) {
  fake_place here(2);
  fake_cuda_engine second(here.driver, 1);
  on_own_thread([&] {
    const Device a = here.device(), b(second);
    const Shared<f32> there = b.full<f32>({4}, 1.0f).share();
    EXPECT_THROW((void)add_one(a.empty<f32>({4}).partition({4}), there).sync(), usage_error);
    EXPECT_THROW((void)add_one(b.empty<f32>({4}).partition({4}), there).sync_on(a.stream()), usage_error);
    const Tensor<f32> copied = a.from_host(there.to_host(), {4});
    EXPECT_EQ(copied.to_host(), std::vector<f32>(4, 1.0f));
  });
}

TEST(Devices, AnIndexThatIsNoneIsRefused) {
  fake_driver driver;
  try {
    const fake_cuda_engine none(driver, 1);
    FAIL() << "no usage_error";
  } catch (const usage_error& error) {
    EXPECT_EQ(error.parts().where, "cuda_device(1)");
  }
  EXPECT_EQ(driver.leaks(), std::vector<std::string>{});
}

TEST(Devices, AreCountedWithoutADriverToo) {
  EXPECT_GE(cuda_device_count(), 0);
  if (cuda_device_count() == 0) {
    EXPECT_THROW((void)cuda_device(), runtime_error);
    EXPECT_EQ(device(), cpu_device());
  } else {
    EXPECT_EQ(device(), cuda_device(0));
  }
}

}  // namespace
}  // namespace tilewright::test
