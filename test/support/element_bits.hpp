// SPDX-License-Identifier: Apache-2.0
// Elements as bits and as exact numbers, independent of the compiler's own arithmetic.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tilewright/base/dtype.hpp"

namespace tilewright::test {

// Exact for every element: a long double holds 64 bits of mantissa.
using real = long double;
using whole = __int128;

inline real decode_float(dtype element, std::uint64_t bits) {
  switch (element) {
    case dtype::f16:
      return static_cast<float>(f16::from_bits(static_cast<std::uint16_t>(bits)));
    case dtype::bf16:
      return static_cast<float>(bf16::from_bits(static_cast<std::uint16_t>(bits)));
    case dtype::f8e4m3:
      return static_cast<float>(f8e4m3::from_bits(static_cast<std::uint8_t>(bits)));
    case dtype::f8e5m2:
      return static_cast<float>(f8e5m2::from_bits(static_cast<std::uint8_t>(bits)));
    case dtype::f8e8m0:
      return bits == 0xff ? std::nanl("") : std::ldexp(real{1}, static_cast<int>(bits) - 127);
    case dtype::f4e2m1: {
      constexpr real magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
      return (bits & 8) != 0 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
    }
    case dtype::f32:
    case dtype::tf32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}

inline std::uint64_t low_bits(dtype element, std::uint64_t word) {
  const int bits = info(element).bits;
  if (element == dtype::tf32) return word & 0xffffe000U;
  return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

inline whole decode_integer(dtype element, std::uint64_t bits) {
  const whole value = low_bits(element, bits);
  const whole past = whole{1} << info(element).bits;
  return is_signed(element) && value >= past / 2 ? value - past : value;
}

inline real decode(dtype element, std::uint64_t bits) {
  return is_floating(element) ? decode_float(element, bits) : static_cast<real>(decode_integer(element, bits));
}

// For floats: of a value that the element holds exactly, else rounded by way of f32. Integers wrap.
template <class T>
std::uint64_t encode(dtype element, T number) {
  if (!is_floating(element)) return low_bits(element, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
  const auto value = static_cast<double>(number);
  switch (element) {
    case dtype::f16:
      return f16(static_cast<float>(value)).bits;
    case dtype::bf16:
      return bf16(static_cast<float>(value)).bits;
    case dtype::f8e4m3:
      return f8e4m3(static_cast<float>(value)).bits;
    case dtype::f8e5m2:
      return f8e5m2(static_cast<float>(value)).bits;
    case dtype::f8e8m0:
      return f8e8m0(static_cast<float>(value)).bits;
    case dtype::f4e2m1:
      return f4e2m1(static_cast<float>(value)).bits;
    case dtype::tf32:
      return tf32(static_cast<float>(value)).bits;
    case dtype::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<std::uint64_t>(value);
  }
}

// ---- Facts of a floating element
inline int least_exponent(dtype element) {  // of a normal number 1.x * 2^e
  switch (element) {
    case dtype::f16:
    case dtype::f8e5m2:
      return -14;
    case dtype::f8e4m3:
      return -6;
    case dtype::f64:
      return -1022;
    case dtype::f8e8m0:
      return -127;
    case dtype::f4e2m1:
      return 0;
    default:
      return -126;
  }
}
inline real spacing(dtype element, real value) {
  const int bits = info(element).mantissa_bits;
  const int exponent = value == 0 || !std::isfinite(value) ? least_exponent(element) : std::ilogb(value);
  return std::ldexp(real{1}, std::max(exponent, least_exponent(element)) - (bits - 1));
}
inline real largest(dtype element) {
  if (element == dtype::f4e2m1) return 6;
  if (element == dtype::f8e4m3) return 448;  // what would be infinity is a number, but for the last one
  const int bits = info(element).mantissa_bits;
  const int exponent = 1 - least_exponent(element);
  return std::ldexp(real{2} - std::ldexp(real{1}, 1 - bits), exponent);
}

// What a narrow float may add to the bound of f32: its own rounding. The last term is the reference's own error.
inline double bound_in(dtype element, double ulp) {
  const int lost = 24 - info(element).mantissa_bits;
  return (lost <= 0 ? ulp : 0.5 + std::ldexp(std::max(ulp, 0.5), -lost)) + 0.001;
}

}  // namespace tilewright::test
