// SPDX-License-Identifier: Apache-2.0
// The format of the scales that blocks of narrow floats share (OCP MX): 8 bits of exponent and nothing else. As a host
// value storage and conversion, no arithmetic.
#pragma once

#include <cstdint>

namespace tilewright {

// 2^(bits - 127), from 2^-127 to 2^127; 0xff is NaN. There is no zero, no sign and no infinity.
// Conversion takes the magnitude and rounds it up, so that what is divided by its scale has a magnitude of at most 1.
// It saturates: 0 becomes 2^-127, infinity 2^127. (Rounding down is bitcast<u32>(x) >> 23 of a positive normal f32.)
struct f8e8m0 {
  std::uint8_t bits = 0;

  constexpr f8e8m0() = default;  // 2^-127
  explicit constexpr f8e8m0(float value) {
    const std::uint32_t magnitude = __builtin_bit_cast(std::uint32_t, value) & 0x7fffffffU;
    constexpr std::uint32_t least = 0x400000U, greatest = 0xfeU;  // least: 2^-127 as an f32, which is a denormal one
    const std::uint32_t up = magnitude <= least ? 0U : (magnitude + 0x7fffffU) >> 23;
    bits = static_cast<std::uint8_t>(magnitude > 0x7f800000U ? 0xffU : up > greatest ? greatest : up);
  }
  explicit constexpr operator float() const {
    const std::uint32_t word = bits == 0U ? 0x400000U : bits == 0xffU ? 0x7fc00000U : std::uint32_t{bits} << 23;
    return __builtin_bit_cast(float, word);
  }
  static constexpr f8e8m0 from_bits(std::uint8_t bits) {
    f8e8m0 result;
    result.bits = bits;
    return result;
  }
};

}  // namespace tilewright
