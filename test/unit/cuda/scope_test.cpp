// SPDX-License-Identifier: Apache-2.0
// scope(f) on a GPU: the host waits once, at the end, and a launch that fails is told there.
#include <gtest/gtest.h>

#include "tilewright/lang/lang.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

class CudaScope : public OnCuda {};
INSTANTIATE_TEST_SUITE_P(Places, CudaScope, testing::Values(place::fake, place::delayed_fake, place::driver),
                         testing::PrintToStringParamName());

TEST_P(CudaScope, RunsPartsOnTwoStreamsAndIsLeftWhenBothAreDone) {
  on_device([](const Device& device) {
    auto z = device.from_host(counted(8), {8});
    const auto x = device.full<f32>({4}, 5.0f);
    const Stream other = device.new_stream();
    auto buffer = device.host_buffer<f32>({4});
    scope([&](Scope& s) {
      auto [head, tail] = z.split_at(0, 4);
      s.start(increment(head.partition({4})));
      s.start_on(other, add_one(tail.partition({4}), x.borrow()));
      s.start_on(other, copy(buffer.all(), x.borrow()));
    });
    EXPECT_EQ(z.to_host(), (std::vector<f32>{1, 2, 3, 4, 6, 6, 6, 6}));
    EXPECT_EQ(buffer.span()[3], 5.0f);
  });
}

TEST(FailedScope, TellsTheFirstFailureAndLeavesTheRestUsable) {
  fake_place here;
  here.driver.set_delayed(true);
  on_own_thread([&] {
    const Device device = here.device();
    auto a = device.zeros<f32>({4}), b = device.zeros<f32>({4});
    EXPECT_THROW(scope([&](Scope& s) {
                   here.driver.fail_next("cuLaunchKernel", cuda::result::launch_out_of_resources);
                   s.start(increment(a.partition({4})));
                   s.start(increment(b.partition({4})));
                   EXPECT_FALSE(device.stream().queue().is_done(device.stream().queue().last_ticket()));
                 }),
                 driver_error);
    EXPECT_EQ(b.to_host(), std::vector<f32>(4, 1.0f));
    auto [given] = increment(std::move(b).partition({4})).sync();
    EXPECT_EQ(given.to_host(), std::vector<f32>(4, 2.0f));
  });
}

}  // namespace
}  // namespace tilewright::test
