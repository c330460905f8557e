// SPDX-License-Identifier: Apache-2.0
// tf32 of the host against its definition: every mantissa at several exponents, every rounding boundary.
#include "tilewright/base/tensor_float.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace tilewright::test {
namespace {

float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

constexpr std::uint32_t step = 1U << 13, sign = 1U << 31;

// From denormals to the last numbers before infinity, which is the next code.
TEST(TensorFloat, EveryBoundaryRoundsToTheNearestOrEven) {
  for (const std::uint32_t exponent : {0U, 1U, 127U, 128U, 254U}) {
    for (std::uint32_t mantissa = 0; mantissa < 1024; ++mantissa) {
      const std::uint32_t code = exponent << 23 | mantissa * step, even = code + mantissa % 2 * step;
      for (const std::uint32_t side : {0U, sign}) {
        EXPECT_EQ(tf32(float_of(code | side)).bits, code | side);
        EXPECT_EQ(static_cast<float>(tf32(float_of(code | side))), float_of(code | side));
        EXPECT_EQ(tf32(float_of((code + step / 2) | side)).bits, even | side) << std::hex << code;
        EXPECT_EQ(tf32(float_of((code + step / 2 - 1) | side)).bits, code | side) << std::hex << code;
        EXPECT_EQ(tf32(float_of((code + step / 2 + 1) | side)).bits, (code + step) | side) << std::hex << code;
      }
    }
  }
}

TEST(TensorFloat, InfinityNanAndZerosStay) {
  EXPECT_EQ(static_cast<float>(tf32(HUGE_VALF)), HUGE_VALF);
  EXPECT_EQ(static_cast<float>(tf32(-HUGE_VALF)), -HUGE_VALF);
  EXPECT_EQ(tf32(-0.0F).bits, sign);
  EXPECT_EQ(static_cast<float>(tf32(float_of(0x7f7fffff))), HUGE_VALF)
      << "the greatest f32 lies past the greatest tf32";
  for (const std::uint32_t nan : {0x7f800001U, 0x7fffffffU, 0xff800001U, 0xffffffffU, 0x7fc00000U}) {
    EXPECT_TRUE(std::isnan(static_cast<float>(tf32(float_of(nan))))) << std::hex << nan;
    EXPECT_EQ(tf32(float_of(nan)).bits % step, 0U);
  }
}

static_assert(tf32(1.0F).bits == 0x3f800000 && static_cast<float>(tf32(0x1.001p0F)) == 1.0F);

}  // namespace
}  // namespace tilewright::test
