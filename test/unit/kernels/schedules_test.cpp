// SPDX-License-Identifier: Apache-2.0
// Which schedule a size gets. What they make of a kernel is held in test/tileir/schedules_test.cpp.
#include "tilewright/kernels/schedules.hpp"

#include <gtest/gtest.h>

namespace tilewright::test {
namespace {

namespace on_h200 = kernels::on_h200;

TEST(Schedules, OfProductsFollowHowManyBlocksThereAre) {
  const auto one_wave = on_h200::gemm<f16>(1024, 1024);
  EXPECT_EQ(one_wave.rows, 64);
  EXPECT_EQ(one_wave.columns, 128);
  EXPECT_FALSE(one_wave.kernel.reference().schedule.persistent);
  const auto large = on_h200::gemm<f16>(2304, 2304);
  EXPECT_EQ(large.rows, 128);
  EXPECT_EQ(large.columns, 256);
  EXPECT_TRUE(large.kernel.reference().schedule.persistent);
  EXPECT_EQ(large.kernel.reference().schedule.num_ctas, 0);
  for (const index_t n : {4096, 8192}) {
    const auto greatest = on_h200::gemm<bf16>(n, n);
    EXPECT_EQ(greatest.rows, 256) << n;
    EXPECT_EQ(greatest.kernel.reference().schedule.num_ctas, 2) << n;
  }
  EXPECT_TRUE(on_h200::fills_device(6144));
  EXPECT_FALSE(on_h200::fills_device(2560));
}

TEST(Schedules, OfRowsHoldSeveralShortOnesABlock) {
  EXPECT_EQ(on_h200::softmax<f16>(1024).rows, 8);
  EXPECT_EQ(on_h200::softmax_twice<f16>(4096).rows, 1);
  EXPECT_EQ(on_h200::rms_norm<bf16>(1024).rows, 4);
  EXPECT_TRUE(on_h200::rms_norm<bf16>(4096).kernel.reference().schedule.persistent);
}

// What no word sets must stay unset in copies of a constant, which compilers make in their own ways.
TEST(Schedules, CopiedFromAConstantLeaveOtherParametersUnset) {
  constexpr schedule fixed = on_h200::attention<f16>().kernel.reference().schedule;
  static_assert(fixed.of[2].latency == 2 && fixed.of[3].latency == 4);
  const schedule copied = on_h200::rms_norm<bf16>(4096).kernel.reference().schedule;
  EXPECT_EQ(copied.of[2], (access_options{.latency = 0, .tma = 0}));
  for (int place = 3; place < max_scheduled_parameters; ++place) {
    EXPECT_EQ(fixed.of[place == 3 ? 4 : place], access_options{}) << place;
    EXPECT_EQ(copied.of[place], access_options{}) << place;
  }
}

}  // namespace
}  // namespace tilewright::test
