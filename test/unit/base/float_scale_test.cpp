// SPDX-License-Identifier: Apache-2.0
// f8e8m0 of the host against its definition: every value, both sides of each, and what it has no value for.
#include "tilewright/base/float_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilewright::test {
namespace {

int rounded(float value) { return f8e8m0(value).bits; }

TEST(FloatScale, EachValueIsAPowerOfTwoAndComesBack) {
  for (int bits = 0; bits < 255; ++bits) {
    const auto value = static_cast<float>(f8e8m0::from_bits(static_cast<std::uint8_t>(bits)));
    EXPECT_EQ(value, std::ldexp(1.0F, bits - 127)) << bits;
    EXPECT_EQ(rounded(value), bits);
    EXPECT_EQ(rounded(-value), bits) << "the sign is dropped";
  }
}

TEST(FloatScale, WhatLiesBetweenIsRoundedUp) {
  for (int bits = 0; bits < 254; ++bits) {
    const float value = std::ldexp(1.0F, bits - 127);
    EXPECT_EQ(rounded(std::nextafter(value, HUGE_VALF)), bits + 1);
    EXPECT_EQ(rounded(value * 1.5F), bits + 1);
    EXPECT_EQ(rounded(std::nextafter(value, 0.0F)), bits) << "is in reach of the value above it";
  }
}

TEST(FloatScale, ItSaturatesAndNanStays) {
  for (const float least : {0.0F, -0.0F, std::numeric_limits<float>::denorm_min(), 0x1p-128F}) {
    EXPECT_EQ(rounded(least), 0) << least;
  }
  for (const float greatest : {0x1.000002p127F, std::numeric_limits<float>::max(), HUGE_VALF, -HUGE_VALF}) {
    EXPECT_EQ(rounded(greatest), 254) << greatest;
  }
  EXPECT_EQ(rounded(std::nanf("")), 255);
  EXPECT_EQ(rounded(-std::nanf("")), 255);
  EXPECT_TRUE(std::isnan(static_cast<float>(f8e8m0::from_bits(255))));
}

static_assert(f8e8m0(1.0F).bits == 127 && static_cast<float>(f8e8m0(3.0F)) == 4.0F);

}  // namespace
}  // namespace tilewright::test
