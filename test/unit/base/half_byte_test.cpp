// SPDX-License-Identifier: Apache-2.0
// The 4-bit elements of the host against their definition: every value, every rounding boundary.
#include "tilewright/base/half_byte.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilewright::test {
namespace {

constexpr float magnitudes[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};

int rounded(float value) { return f4e2m1(value).bits; }

TEST(HalfByte, EachFloatIsItsNumberAndComesBack) {
  for (int code = 0; code < 16; ++code) {
    const auto value = static_cast<float>(f4e2m1::from_bits(static_cast<std::uint8_t>(code)));
    EXPECT_EQ(value, code < 8 ? magnitudes[code] : -magnitudes[code - 8]) << code;
    EXPECT_EQ(std::signbit(value), code >= 8) << code;
    EXPECT_EQ(rounded(value), code);
  }
}

TEST(HalfByte, WhatLiesBetweenIsRoundedToTheNearestAndHalvesToTheEvenCode) {
  for (int code = 0; code < 7; ++code) {
    const float middle = (magnitudes[code] + magnitudes[code + 1]) / 2;
    const int even = code % 2 == 0 ? code : code + 1;
    EXPECT_EQ(rounded(middle), even) << middle;
    EXPECT_EQ(rounded(std::nextafter(middle, 0.0F)), code) << middle;
    EXPECT_EQ(rounded(std::nextafter(middle, HUGE_VALF)), code + 1) << middle;
    EXPECT_EQ(rounded(-middle), even + 8) << middle;
    EXPECT_EQ(rounded(-std::nextafter(middle, 0.0F)), code + 8) << middle;
    EXPECT_EQ(rounded(-std::nextafter(middle, HUGE_VALF)), code + 9) << middle;
  }
}

TEST(HalfByte, FloatsSaturateAndKeepTheirSign) {
  for (const float great : {6.5F, 7.0F, 8.0F, 1e30F, std::numeric_limits<float>::max(), HUGE_VALF}) {
    EXPECT_EQ(rounded(great), 7) << great;
    EXPECT_EQ(rounded(-great), 15) << great;
  }
  for (const float small : {0x1p-149F, 0x1p-126F, 0.1F}) {
    EXPECT_EQ(rounded(small), 0) << small;
    EXPECT_EQ(rounded(-small), 8) << small;
  }
  EXPECT_EQ(rounded(std::nanf("")), 7) << "NaN becomes the greatest number";
  EXPECT_EQ(rounded(-std::nanf("")), 7) << "of whichever sign";
}

TEST(HalfByte, IntegersWrap) {
  for (int value = -300; value <= 300; ++value) {
    EXPECT_EQ(static_cast<std::int32_t>(i4(value)), ((value + 8) % 16 + 16) % 16 - 8) << value;
    EXPECT_EQ(static_cast<std::int32_t>(u4(value)), (value % 16 + 16) % 16) << value;
  }
}

TEST(HalfByte, BitsAreTheLowHalf) {
  EXPECT_EQ(f4e2m1::from_bits(0xa7).bits, 7);
  EXPECT_EQ(static_cast<std::int32_t>(i4::from_bits(0x1f)), -1);
  EXPECT_EQ(static_cast<std::int32_t>(u4::from_bits(0x1f)), 15);
}

static_assert(f4e2m1(5.0F).bits == 6 && static_cast<float>(f4e2m1(-1.5F)) == -1.5F);

}  // namespace
}  // namespace tilewright::test
