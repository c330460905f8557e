// SPDX-License-Identifier: Apache-2.0
// The two 16-bit floating-point formats as host values: storage and exact conversion, no arithmetic.
// Conversion to them rounds to nearest, ties to even; a NaN stays a NaN.
#pragma once

#include <cstdint>

namespace tilewright {

struct f16 {
  std::uint16_t bits = 0;

  constexpr f16() = default;
  explicit constexpr f16(float value);
  explicit constexpr operator float() const;
  static constexpr f16 from_bits(std::uint16_t bits) {
    f16 result;
    result.bits = bits;
    return result;
  }
};

struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  explicit constexpr bf16(float value) {
    const std::uint32_t word = __builtin_bit_cast(std::uint32_t, value);
    const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
    const std::uint32_t rounded = word + 0x7fffU + ((word >> 16) & 1U);
    bits = static_cast<std::uint16_t>(is_nan ? (word >> 16) | 0x40U : rounded >> 16);
  }
  explicit constexpr operator float() const {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }
  static constexpr bf16 from_bits(std::uint16_t bits) {
    bf16 result;
    result.bits = bits;
    return result;
  }
};

namespace detail {

// Shifts `value` right by `count` (1 to 31) and rounds the cut part to nearest, ties to even.
constexpr std::uint32_t shift_right_to_nearest_even(std::uint32_t value, std::uint32_t count) {
  const std::uint32_t kept = value >> count;
  const std::uint32_t cut = value & ((1U << count) - 1U);
  const std::uint32_t half = 1U << (count - 1U);
  const bool up = cut > half || (cut == half && (kept & 1U) != 0U);
  return kept + (up ? 1U : 0U);
}

constexpr std::uint16_t f16_bits(std::uint32_t word) {
  const std::uint32_t sign = (word >> 16) & 0x8000U;
  const std::uint32_t magnitude = word & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U | ((magnitude >> 13) & 0x1ffU));
  if (magnitude >= 0x47800000U) return static_cast<std::uint16_t>(sign | 0x7c00U);  // 65536 and more
  if (magnitude >= 0x38800000U) {                                                   // normal: 2^-14 and more
    return static_cast<std::uint16_t>(sign | shift_right_to_nearest_even(magnitude - 0x38000000U, 13));
  }
  if (magnitude < 0x33000000U) return static_cast<std::uint16_t>(sign);  // under 2^-25: rounds to zero
  const std::uint32_t exponent = magnitude >> 23;
  const std::uint32_t fraction = (magnitude & 0x7fffffU) | 0x800000U;
  return static_cast<std::uint16_t>(sign | shift_right_to_nearest_even(fraction, 126U - exponent));
}

constexpr std::uint32_t f32_bits_of_f16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fU;
  std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 31U) return sign | 0x7f800000U | (fraction << 13);
  if (exponent != 0U) return sign | ((exponent + 112U) << 23) | (fraction << 13);
  if (fraction == 0U) return sign;
  std::uint32_t shift = 0;
  for (; (fraction & 0x400U) == 0U; fraction <<= 1) ++shift;
  return sign | ((113U - shift) << 23) | ((fraction & 0x3ffU) << 13);
}

}  // namespace detail

constexpr f16::f16(float value) : bits(detail::f16_bits(__builtin_bit_cast(std::uint32_t, value))) {}
constexpr f16::operator float() const { return __builtin_bit_cast(float, detail::f32_bits_of_f16(bits)); }

}  // namespace tilewright
