// SPDX-License-Identifier: Apache-2.0
// The two 8-bit floating-point formats as host values: storage and exact conversion, no arithmetic.
// Conversion to them rounds to nearest, ties to even, and saturates: what is past the greatest number, infinity too,
// becomes the greatest number of its sign. A NaN becomes 0x7f.
#pragma once

#include <cstdint>

#include "tilewright/base/float16.hpp"

namespace tilewright {

// 4 bits of exponent, 3 of mantissa: up to 448, in steps of 2^-9 near 0. No infinity; 0x7f and 0xff are NaN.
struct f8e4m3 {
  std::uint8_t bits = 0;

  constexpr f8e4m3() = default;
  explicit constexpr f8e4m3(float value);
  explicit constexpr operator float() const;
  static constexpr f8e4m3 from_bits(std::uint8_t bits) {
    f8e4m3 result;
    result.bits = bits;
    return result;
  }
};

// 5 bits of exponent, 2 of mantissa: the upper half of an f16. Up to 57344, then infinity (0x7c) and NaN.
struct f8e5m2 {
  std::uint8_t bits = 0;

  constexpr f8e5m2() = default;
  explicit constexpr f8e5m2(float value);
  explicit constexpr operator float() const;
  static constexpr f8e5m2 from_bits(std::uint8_t bits) {
    f8e5m2 result;
    result.bits = bits;
    return result;
  }
};

namespace detail {

struct float8_format {
  int mantissa;           // stored bits
  int least;              // exponent of the least normal number
  std::uint8_t greatest;  // bits of the greatest number
};
inline constexpr float8_format e4m3_format{3, -6, 0x7e}, e5m2_format{2, -14, 0x7b};

constexpr std::uint8_t f8_bits(std::uint32_t word, const float8_format& format) {
  const std::uint32_t sign = (word >> 24) & 0x80U, magnitude = word & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return 0x7f;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  const int below = exponent < format.least ? format.least - exponent : 0;
  const int cut = 23 - format.mantissa + below;
  if (cut > 24) return static_cast<std::uint8_t>(sign);  // under half of the least number
  const std::uint32_t fraction = (magnitude & 0x7fffffU) | 0x800000U;
  const std::uint32_t kept = shift_right_to_nearest_even(fraction, static_cast<std::uint32_t>(cut));
  // The hidden bit, where it is left, adds one to the exponent.
  const std::uint32_t code = kept + (static_cast<std::uint32_t>(exponent + below - format.least) << format.mantissa);
  return static_cast<std::uint8_t>(sign | (code > format.greatest ? format.greatest : code));
}

constexpr std::uint32_t f32_bits_of_f8(std::uint8_t bits, const float8_format& format) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x80U) << 24, magnitude = bits & 0x7fU;
  const std::uint32_t hidden = 1U << format.mantissa;
  if (magnitude > format.greatest) return sign | (magnitude == 0x7cU ? 0x7f800000U : 0x7fc00000U);
  int exponent = static_cast<int>(magnitude >> format.mantissa) - 1 + format.least;
  std::uint32_t fraction = magnitude & (hidden - 1U);
  if (magnitude < hidden) {
    if (fraction == 0U) return sign;
    for (++exponent; (fraction & hidden) == 0U; fraction <<= 1) --exponent;
  }
  return sign | (static_cast<std::uint32_t>(exponent + 127) << 23) |
         ((fraction & (hidden - 1U)) << (23 - format.mantissa));
}

}  // namespace detail

constexpr f8e4m3::f8e4m3(float value)
    : bits(detail::f8_bits(__builtin_bit_cast(std::uint32_t, value), detail::e4m3_format)) {}
constexpr f8e4m3::operator float() const {
  return __builtin_bit_cast(float, detail::f32_bits_of_f8(bits, detail::e4m3_format));
}
constexpr f8e5m2::f8e5m2(float value)
    : bits(detail::f8_bits(__builtin_bit_cast(std::uint32_t, value), detail::e5m2_format)) {}
constexpr f8e5m2::operator float() const {
  return __builtin_bit_cast(float, detail::f32_bits_of_f8(bits, detail::e5m2_format));
}

}  // namespace tilewright
