// SPDX-License-Identifier: Apache-2.0
// The format that tensor cores multiply f32 in: 8 bits of exponent as f32, 10 of mantissa. As a host value it is an f32
// whose lowest 13 bits are 0: storage and conversion, no arithmetic.
#pragma once

#include <cstdint>

namespace tilewright {

// Conversion rounds to nearest, ties to even, denormals too, and past the greatest number to infinity; a NaN stays one.
struct tf32 {
  std::uint32_t bits = 0;

  constexpr tf32() = default;
  explicit constexpr tf32(float value) {
    const std::uint32_t word = __builtin_bit_cast(std::uint32_t, value);
    const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
    const std::uint32_t rounded = is_nan ? word | 0x400000U : word + 0xfffU + ((word >> 13) & 1U);
    bits = rounded & ~0x1fffU;
  }
  explicit constexpr operator float() const { return __builtin_bit_cast(float, bits); }
};

}  // namespace tilewright
