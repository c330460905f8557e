// SPDX-License-Identifier: Apache-2.0
// Inputs that break arithmetic: limits, zeros, infinities, NaN, denormals, and some random bits with a fixed seed.
#pragma once

#include <random>
#include <vector>

#include "support/element_bits.hpp"

namespace tilewright::test {

inline std::vector<std::uint64_t> special_floats(dtype element) {
  const int bits = info(element).mantissa_bits;
  const double least = std::ldexp(1.0, least_exponent(element)), most = static_cast<double>(largest(element));
  const double least_denormal = std::ldexp(1.0, least_exponent(element) - (bits - 1));
  const double above_one = 1 + std::ldexp(1.0, 1 - bits), below_one = 1 - std::ldexp(1.0, -bits);
  std::vector<std::uint64_t> all;
  for (const double value : {0.0,
                             1.0,
                             0.5,
                             1.5,
                             2.75,
                             3.0,
                             1.0 / 3,
                             0.001,
                             7.3,
                             9.6,
                             88.5,
                             87.2,
                             103.0,
                             255.5,
                             300.0,
                             2048.0,
                             65504.0,
                             16777217.0,
                             2147483520.0,
                             3e9,
                             1e-5,
                             3.14159265358979,
                             1.57079632679490,
                             12345.678,
                             above_one,
                             below_one,
                             least,
                             least_denormal,
                             7 * least_denormal,
                             most,
                             most / 2,
                             HUGE_VAL}) {
    all.push_back(encode(element, value));
    all.push_back(encode(element, -value));
  }
  all.push_back(encode(element, std::nan("")));
  return all;
}

inline std::vector<std::uint64_t> special_integers(dtype element) {
  std::vector<std::uint64_t> all;
  for (const std::int64_t value : {0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100, 127, 200}) {
    all.push_back(encode(element, value));
    all.push_back(encode(element, -value));
  }
  const std::uint64_t top = std::uint64_t{1} << (info(element).bits - 1);
  for (const std::uint64_t word : {top, top - 1, top + 1, ~std::uint64_t{0}, top >> 1, std::uint64_t{0x55555555}}) {
    all.push_back(low_bits(element, word));
  }
  return all;
}

inline std::vector<std::uint64_t> special_values(dtype element) {
  if (element == dtype::boolean) return {0, 1};
  std::vector<std::uint64_t> all = is_floating(element) ? special_floats(element) : special_integers(element);
  std::mt19937_64 random(1729);
  for (int i = 0; i < 12; ++i) all.push_back(low_bits(element, random()));
  return all;
}

}  // namespace tilewright::test
