// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tilewright::test {

// As is_close, but quick: the error in units of the last place of f32, infinite where one is NaN or infinite alone.
inline double error_of(float got, double reference) {
  if (std::isnan(reference) || std::isnan(got)) return std::isnan(reference) == std::isnan(got) ? 0 : HUGE_VAL;
  const float nearest = static_cast<float>(reference);
  if (std::bit_cast<std::uint32_t>(nearest) == std::bit_cast<std::uint32_t>(got)) return 0.5;
  if (nearest == 0 && got == 0) return HUGE_VAL;  // zeros of the wrong sign
  if (std::isinf(reference)) return HUGE_VAL;
  constexpr double overflow = 0x1p128;
  const double result = std::isinf(got) ? std::copysign(overflow, got) : static_cast<double>(got);
  const double bounded = std::fmin(std::fmax(reference, -overflow), overflow);
  const int exponent = std::max(std::ilogb(std::fmin(std::fabs(reference), 0x1.fffffep127)), -126);
  return std::fabs(result - bounded) / std::ldexp(1, exponent - 23);
}

}  // namespace tilewright::test
