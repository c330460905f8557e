// SPDX-License-Identifier: Apache-2.0
// The 8-bit floats of the host against their definition: every value, every rounding boundary.
#include "tilewright/base/float8.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tilewright::test {
namespace {

struct format {
  int mantissa, bias, greatest;
};
constexpr format format_of(f8e4m3) { return {3, 7, 0x7e}; }
constexpr format format_of(f8e5m2) { return {2, 15, 0x7b}; }

// The number of a code without its sign, infinity and NaN left out.
template <class T>
double number(int code) {
  const format f = format_of(T());
  const int exponent = code >> f.mantissa, fraction = code & ((1 << f.mantissa) - 1);
  const double steps = exponent == 0 ? fraction : fraction + (1 << f.mantissa);
  return std::ldexp(steps, std::max(exponent, 1) - f.bias - f.mantissa);
}

template <class T>
int code_of(float value) {
  return T(value).bits;
}

template <class T>
class Float8 : public testing::Test {};
using formats = testing::Types<f8e4m3, f8e5m2>;
TYPED_TEST_SUITE(Float8, formats);

TYPED_TEST(Float8, EveryCodeIsItsNumberAndComesBack) {
  for (int code = 0; code <= format_of(TypeParam()).greatest; ++code) {
    const auto plus = static_cast<float>(TypeParam::from_bits(static_cast<std::uint8_t>(code)));
    const auto minus = static_cast<float>(TypeParam::from_bits(static_cast<std::uint8_t>(code | 0x80)));
    EXPECT_EQ(plus, number<TypeParam>(code)) << code;
    EXPECT_EQ(minus, -number<TypeParam>(code)) << code;
    EXPECT_TRUE(std::signbit(minus) && !std::signbit(plus)) << code;
    EXPECT_EQ(code_of<TypeParam>(plus), code);
    EXPECT_EQ(code_of<TypeParam>(minus), code | 0x80);
  }
}

TYPED_TEST(Float8, EveryBoundaryRoundsToTheNearestOrEven) {
  for (int code = 0; code < format_of(TypeParam()).greatest; ++code) {
    const auto middle = static_cast<float>((number<TypeParam>(code) + number<TypeParam>(code + 1)) / 2);
    for (const int sign : {0, 0x80}) {
      const auto rounded = [&](float v) { return code_of<TypeParam>(sign != 0 ? -v : v) ^ sign; };
      EXPECT_EQ(rounded(middle), code + code % 2) << code;
      EXPECT_EQ(rounded(std::nextafter(middle, 0.0F)), code);
      EXPECT_EQ(rounded(std::nextafter(middle, HUGE_VALF)), code + 1);
    }
  }
}

TYPED_TEST(Float8, PastTheGreatestIsTheGreatest) {
  const int greatest = format_of(TypeParam()).greatest;
  const auto most = static_cast<float>(number<TypeParam>(greatest));
  for (const float past : {std::nextafter(most, HUGE_VALF), most * 1.25F, 1e30F, HUGE_VALF}) {
    EXPECT_EQ(code_of<TypeParam>(past), greatest) << past;
    EXPECT_EQ(code_of<TypeParam>(-past), greatest | 0x80) << past;
  }
  for (const float tiny : {1e-30F, 1e-44F, 0.0F}) EXPECT_EQ(code_of<TypeParam>(-tiny), 0x80) << tiny;
}

TYPED_TEST(Float8, NanStaysNan) {
  EXPECT_EQ(code_of<TypeParam>(std::nanf("")), 0x7f);
  EXPECT_EQ(code_of<TypeParam>(-std::nanf("")), 0x7f);
  for (int code = format_of(TypeParam()).greatest + 1; code < 0x80; ++code) {
    const auto got = static_cast<float>(TypeParam::from_bits(static_cast<std::uint8_t>(code)));
    const bool is_infinity = format_of(TypeParam()).mantissa == 2 && code == 0x7c;
    EXPECT_TRUE(is_infinity ? got == HUGE_VALF : std::isnan(got)) << code;
  }
}

static_assert(f8e4m3(1.0F).bits == 0x38 && static_cast<float>(f8e5m2::from_bits(0x3c)) == 1.0F);

}  // namespace
}  // namespace tilewright::test
