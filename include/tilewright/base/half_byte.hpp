// SPDX-License-Identifier: Apache-2.0
// Elements of 4 bits, of tiles alone: in memory two of them are packed into a byte, which is a u8. As a host value
// storage and conversion, no arithmetic.
#pragma once

#include <cstdint>

#include "tilewright/base/float8.hpp"

namespace tilewright {

namespace detail {

inline constexpr float8_format e2m1_format{1, 0, 7};

// Bits are the low half of a byte.
template <class Number>
struct half_byte {
  std::uint8_t bits = 0;

  static constexpr Number from_bits(std::uint8_t bits) {
    Number result;
    result.bits = bits & 15U;
    return result;
  }
};

}  // namespace detail

// 1 bit of sign, 2 of exponent, 1 of mantissa (OCP MX): 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. No infinity and
// no NaN. Conversion to it rounds to nearest, ties to even, and saturates; a NaN becomes 6, as GPUs make of it.
struct f4e2m1 : detail::half_byte<f4e2m1> {
  constexpr f4e2m1() = default;
  explicit constexpr f4e2m1(float value) {
    const std::uint8_t byte = detail::f8_bits(__builtin_bit_cast(std::uint32_t, value), detail::e2m1_format);
    bits = value != value ? 7U : static_cast<std::uint8_t>((byte & 7U) | (byte >> 4 & 8U));
  }
  explicit constexpr operator float() const {
    const auto byte = static_cast<std::uint8_t>((bits & 7U) | (bits & 8U) << 4);
    return __builtin_bit_cast(float, detail::f32_bits_of_f8(byte, detail::e2m1_format));
  }
};

// -8 to 7 and 0 to 15. Conversion to them wraps.
struct i4 : detail::half_byte<i4> {
  constexpr i4() = default;
  explicit constexpr i4(std::int64_t value) { bits = static_cast<std::uint8_t>(value & 15); }
  explicit constexpr operator std::int32_t() const { return bits < 8 ? bits : bits - 16; }
};
struct u4 : detail::half_byte<u4> {
  constexpr u4() = default;
  explicit constexpr u4(std::int64_t value) { bits = static_cast<std::uint8_t>(value & 15); }
  explicit constexpr operator std::int32_t() const { return bits; }
};

}  // namespace tilewright
