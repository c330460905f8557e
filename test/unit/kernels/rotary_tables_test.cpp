// SPDX-License-Identifier: Apache-2.0
// Rotary tables hold correctly rounded cosines and sines of the angles, also far from position 0.
#include "tilewright/kernels/rotary_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tilewright/base/error.hpp"

namespace tilewright::kernels {
namespace {

TEST(RotaryTables, FirstPairTurnsByThePositionItself) {
  const rotary_tables tables = make_rotary_tables(8192, 64, 1e5);
  ASSERT_EQ(tables.pairs, 32);
  ASSERT_EQ(tables.cosines.size(), 8192u * 32);
  EXPECT_EQ(tables.cosines[8191 * 32], static_cast<f32>(std::cos(8191.0)));
  EXPECT_EQ(tables.sines[8191 * 32], static_cast<f32>(std::sin(8191.0)));
}

TEST(RotaryTables, PositionZeroTurnsNothing) {
  const rotary_tables tables = make_rotary_tables(1, 4, 1e4);
  EXPECT_EQ(tables.cosines, (std::vector<f32>{1, 1}));
  EXPECT_EQ(tables.sines, (std::vector<f32>{0, 0}));
}

TEST(RotaryTables, LaterPairsTurnByPowersOfTheBase) {
  const rotary_tables tables = make_rotary_tables(11, 4, 1e4);
  EXPECT_EQ(tables.sines[10 * 2 + 1], static_cast<f32>(std::sin(10.0 * std::pow(1e4, -0.5))));
}

TEST(RotaryTables, RefuseAnOddHeadOrABaseThatIsNotPositive) {
  EXPECT_THROW((void)make_rotary_tables(1, 3, 1e4), usage_error);
  EXPECT_THROW((void)make_rotary_tables(1, 4, 0.0), usage_error);
  EXPECT_THROW((void)make_rotary_tables(-1, 4, 1e4), usage_error);
}

}  // namespace
}  // namespace tilewright::kernels
