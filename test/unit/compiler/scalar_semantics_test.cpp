// SPDX-License-Identifier: Apache-2.0
// The defined values of element-wise ops, exhaustively for i8 where that is cheap.
#include "compiler/scalar_semantics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/scalar_fold.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using semantics::binary;
using semantics::cast;

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

template <class T>
struct division_row {
  T a, b, divide, remainder, floor_div, floor_mod;
};

template <class T>
void expect_division(const division_row<T>& row) {
  SCOPED_TRACE(testing::Message() << +row.a << " by " << +row.b);
  EXPECT_EQ(+binary<op::divide>(row.a, row.b), +row.divide);
  EXPECT_EQ(+binary<op::remainder>(row.a, row.b), +row.remainder);
  EXPECT_EQ(+binary<op::floor_div>(row.a, row.b), +row.floor_div);
  EXPECT_EQ(+binary<op::floor_mod>(row.a, row.b), +row.floor_mod);
}

TEST(ScalarSemantics, DivisionTruncatesAndFloorFormsRoundDown) {
  const division_row<i8> narrow[] = {{-7, 2, -3, -1, -4, 1},     {7, -2, -3, 1, -4, -1},
                                     {-1, 3, 0, -1, -1, 2},      {120, -27, -4, 12, -5, -15},
                                     {127, -2, -63, 1, -64, -1}, {-128, 127, -1, -1, -2, 126}};
  for (const auto& row : narrow) expect_division(row);
  expect_division<i32>({2147483647, -2, -1073741823, 1, -1073741824, -1});
}

// KER-04
TEST(ScalarSemantics, EveryPairOfI8DividesAsTheWiderIntegersDo) {
  std::int64_t sums[4] = {};
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      if (b == 0 || (a == -128 && b == -1)) continue;
      const auto x = static_cast<i8>(a), y = static_cast<i8>(b);
      const i8 got[] = {binary<op::divide>(x, y), binary<op::remainder>(x, y), binary<op::floor_div>(x, y),
                        binary<op::floor_mod>(x, y)};
      const double exact = static_cast<double>(a) / b;
      const int want[] = {a / b, a % b, static_cast<int>(std::floor(exact)),
                          a - b * static_cast<int>(std::floor(exact))};
      for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(got[i], want[i]) << a << " by " << b << ", form " << i;
        sums[i] += got[i] * (a + 3 * b);
      }
    }
  }
  EXPECT_EQ(sums[0], -64186);
  EXPECT_EQ(sums[1], 134851320);
  EXPECT_EQ(sums[2], -32189);
  EXPECT_EQ(sums[3], 532690249);
}

TEST(ScalarSemantics, LeastDividedByMinusOneWraps) {
  expect_division<i8>({-128, -1, -128, 0, -128, 0});
  expect_division<i32>({INT32_MIN, -1, INT32_MIN, 0, INT32_MIN, 0});
  expect_division<i64>({INT64_MIN, -1, INT64_MIN, 0, INT64_MIN, 0});
}

TEST(ScalarSemantics, AZeroDivisorCountsAsOne) {
  expect_division<i8>({-7, 0, -7, 0, -7, 0});
  expect_division<u32>({7, 0, 7, 0, 7, 0});
  expect_division<i64>({INT64_MIN, 0, INT64_MIN, 0, INT64_MIN, 0});
}

TEST(ScalarSemantics, EveryPairOfI8WrapsInAddSubtractMultiply) {
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const auto x = static_cast<i8>(a), y = static_cast<i8>(b);
      ASSERT_EQ((binary<op::add>(x, y)), static_cast<i8>(a + b));
      ASSERT_EQ((binary<op::subtract>(x, y)), static_cast<i8>(a - b));
      ASSERT_EQ((binary<op::multiply>(x, y)), static_cast<i8>(a * b));
      ASSERT_EQ((binary<op::minimum>(x, y)), std::min(x, y));
      ASSERT_EQ((binary<op::maximum>(x, y)), std::max(x, y));
    }
  }
  EXPECT_EQ((binary<op::multiply, u16>(65535, 65535)), 1);  // would overflow the int that C++ promotes to
  EXPECT_EQ((semantics::unary<op::negate, i8>(-128)), -128);
  EXPECT_EQ((semantics::unary<op::absolute, i64>(INT64_MIN)), INT64_MIN);
}

TEST(ScalarSemantics, EveryShiftOfI8IsDefined) {
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const auto x = static_cast<i8>(a), y = static_cast<i8>(b);
      const bool past = b < 0 || b >= 8;
      ASSERT_EQ((binary<op::shift_left>(x, y)), past ? 0 : static_cast<i8>(a * (1 << b))) << a << " << " << b;
      const int down = static_cast<int>(std::floor(a / std::exp2(past ? 8 : b)));
      ASSERT_EQ((binary<op::shift_right>(x, y)), down) << a << " >> " << b;
    }
  }
}

TEST(ScalarSemantics, ShiftsPastTheWidthGiveZeroOrTheSign) {
  EXPECT_EQ((binary<op::shift_left, i32>(1, 31)), INT32_MIN);
  EXPECT_EQ((binary<op::shift_left, i32>(1, 32)), 0);
  EXPECT_EQ((binary<op::shift_left, i32>(1, 33)), 0);
  EXPECT_EQ((binary<op::shift_right, i32>(-8, 40)), -1);
  EXPECT_EQ((binary<op::shift_right, u32>(0x80000000U, 32)), 0U);
  EXPECT_EQ((binary<op::shift_left, i64>(1, 64)), 0);
}

TEST(ScalarSemantics, FloatToIntegerSaturatesAndNanGivesZero) {
  struct row {
    float value;
    i32 as_i32;
    u8 as_u8;
  };
  const row rows[] = {{nan, 0, 0},
                      {infinity, 2147483647, 255},
                      {3e9F, 2147483647, 255},
                      {-infinity, INT32_MIN, 0},
                      {-3e9F, INT32_MIN, 0},
                      {2147483520.0F, 2147483520, 255},
                      {2147483648.0F, 2147483647, 255},
                      {300.0F, 300, 255},
                      {-1.0F, -1, 0},
                      {0.99F, 0, 0},
                      {-0.99F, 0, 0}};
  for (const row& r : rows) {
    EXPECT_EQ(cast<i32>(r.value), r.as_i32) << r.value;
    EXPECT_EQ(cast<u8>(r.value), r.as_u8) << r.value;
  }
  EXPECT_EQ(cast<i8>(127.9F), 127);
  EXPECT_EQ(cast<i8>(-128.9F), -128);
  EXPECT_EQ(cast<u64>(1.8446744073709552e19), UINT64_MAX);
  EXPECT_EQ(cast<i64>(f16(infinity)), INT64_MAX);
  EXPECT_TRUE(cast<bool>(nan));
  EXPECT_FALSE(cast<bool>(-0.0F));
}

TEST(ScalarSemantics, ConversionsToNarrowFloatsRoundOnce) {
  const double just_over_a_tie = 1.0 + std::exp2(-9) + std::exp2(-40);  // bf16 keeps 8 bits
  EXPECT_EQ(cast<bf16>(1.0 + std::exp2(-9)).bits, 0x3f80);
  EXPECT_EQ(cast<bf16>(1.0 + std::exp2(-8)).bits, 0x3f80);  // a tie goes to even
  EXPECT_EQ(cast<bf16>(just_over_a_tie + std::exp2(-9)).bits, 0x3f81);
  EXPECT_EQ(cast<f16>(1.0 + std::exp2(-11) + std::exp2(-45)).bits, 0x3c01);
  EXPECT_EQ(cast<f16>(-1.0 - std::exp2(-11) - std::exp2(-45)).bits, 0xbc01);
  EXPECT_EQ(cast<bf16>((i64{1} << 60) + (i64{1} << 52) + 1).bits, 0x5d81);
  EXPECT_EQ(cast<bf16>((i64{1} << 60) + (i64{1} << 52)).bits, 0x5d80);
  EXPECT_EQ(cast<f16>(i32{65519}).bits, 0x7bff);
  EXPECT_EQ(cast<f16>(i32{65520}).bits, 0x7c00);
  EXPECT_EQ(cast<bf16>(1e300).bits, 0x7f80);
  EXPECT_EQ(cast<f16>(i64{INT64_MIN}).bits, 0xfc00);
}

TEST(ScalarSemantics, MinimumAndMaximumCarryNanAndOrderZeros) {
  EXPECT_TRUE(std::isnan(binary<op::minimum>(nan, 1.0F)));
  EXPECT_TRUE(std::isnan(binary<op::minimum>(1.0F, nan)));
  EXPECT_TRUE(std::isnan(binary<op::maximum>(nan, 1.0F)));
  EXPECT_TRUE(std::isnan(binary<op::maximum>(1.0F, nan)));
  EXPECT_TRUE(std::signbit(binary<op::minimum>(0.0F, -0.0F)));
  EXPECT_TRUE(std::signbit(binary<op::minimum>(-0.0F, 0.0F)));
  EXPECT_FALSE(std::signbit(binary<op::maximum>(0.0F, -0.0F)));
  EXPECT_FALSE(std::signbit(binary<op::maximum>(-0.0F, 0.0F)));
}

TEST(ScalarSemantics, ComparisonsWithNanAreFalseButNotEqual) {
  EXPECT_FALSE(semantics::comparison<op::less>(nan, 1.0F));
  EXPECT_FALSE(semantics::comparison<op::greater_equal>(nan, nan));
  EXPECT_FALSE(semantics::comparison<op::equal>(nan, nan));
  EXPECT_TRUE(semantics::comparison<op::not_equal>(nan, nan));
  EXPECT_TRUE((semantics::comparison<op::less, u8>(1, 255)));
  EXPECT_TRUE((semantics::comparison<op::less, i8>(-1, 1)));
}

TEST(ScalarSemantics, FmaRoundsOnce) {
  const float a = 1.0F + std::exp2(-23.0F);
  EXPECT_EQ(semantics::fma(a, a, -1.0F - std::exp2(-22.0F)), std::exp2(-46.0F));
}

TEST(ScalarFold, GivesTheWordsOfConstants) {
  const auto word = [](double value) { return std::bit_cast<std::int64_t>(value); };
  EXPECT_EQ(fold(op::add, dtype::i8, 127, 1), -128);
  EXPECT_EQ(fold(op::add, dtype::u8, 255, 1), 0);
  EXPECT_EQ(fold(op::divide, dtype::u64, -1, 2), INT64_MAX);
  EXPECT_EQ(fold(op::add, dtype::f32, word(16777216.0), word(1.0)), word(16777216.0));
  EXPECT_EQ(fold(op::add, dtype::f16, word(2048.0), word(1.0)), word(2048.0));
  EXPECT_EQ(fold(op::less, dtype::index, -5, 3), 1);
  EXPECT_EQ(fold(op::select, dtype::i32, 0, 4, 5), 5);
  EXPECT_EQ(fold(op::bit_not, dtype::boolean, 1), 0);
  EXPECT_EQ(fold(op::fma, dtype::f64, word(2.0), word(3.0), word(4.0)), word(10.0));
  EXPECT_EQ(fold(op::exp, dtype::i32, 1), std::nullopt);
  EXPECT_EQ(fold(op::add, dtype::boolean, 1, 1), std::nullopt);
  EXPECT_EQ(fold(op::reduce_sum, dtype::f32, 0), std::nullopt);
  EXPECT_EQ(fold_cast(dtype::u8, dtype::f32, word(300.0)), 255);
  EXPECT_EQ(fold_cast(dtype::f32, dtype::i64, 16777217), word(16777216.0));
  EXPECT_EQ(fold_bitcast(dtype::i32, dtype::f32, word(1.0)), 0x3f800000);
  EXPECT_EQ(fold_bitcast(dtype::bf16, dtype::u16, 0x3f80), word(1.0));
  EXPECT_EQ(fold_bitcast(dtype::i64, dtype::f32, word(1.0)), std::nullopt);
}

}  // namespace
}  // namespace tilewright::compiler
