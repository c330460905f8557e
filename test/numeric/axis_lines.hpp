// SPDX-License-Identifier: Apache-2.0
// Random arrays and their lines along an axis, for tests of reductions and scans; what a sum or product may be.
#pragma once

#include <random>
#include <span>

#include "numeric/expect_close.hpp"
#include "numeric/tile_computation.hpp"

namespace tilewright::test {

inline constexpr dtype numbers[] = {dtype::i8,  dtype::i16, dtype::i32,  dtype::i64, dtype::u8,
                                    dtype::u16, dtype::u32, dtype::u64,  dtype::f16, dtype::bf16,
                                    dtype::f32, dtype::f64, dtype::index};

inline const std::vector<std::vector<index_t>> shapes = {{1},       {5},       {37},      {64},        {1000},
                                                         {3, 5},    {37, 1},   {1, 37},   {4, 33},     {33, 4},
                                                         {128, 16}, {2, 3, 7}, {5, 1, 3}, {2, 2, 3, 2}};

// Floats in [0.5, 1.5), every other one negative unless `positive`; integers of any bits.
inline host_array random_array(dtype element, const std::vector<index_t>& extents, unsigned seed,
                               bool positive = false) {
  std::mt19937_64 random(seed);
  host_array made(element, extents);
  for (index_t i = 0; i < made.size(); ++i) {
    if (is_floating(element)) {
      const double value = 0.5 + static_cast<double>(random() % 4096) / 4096;
      made.set(i, positive || random() % 2 == 0 ? value : -value);
    } else {
      made.set_bits(i, low_bits(element, random()));
    }
  }
  return made;
}

// The elements of each line along `axis`, in the order of the reduced result.
inline std::vector<std::vector<index_t>> lines_of(const host_array& a, int axis) {
  const auto& extents = a.extents();
  const auto at = static_cast<std::size_t>(axis);
  index_t inner = 1;
  for (std::size_t next = at + 1; next < extents.size(); ++next) inner *= extents[next];
  std::vector<std::vector<index_t>> lines;
  for (index_t first = 0; first < a.size(); ++first) {
    if (first / inner % extents[at] != 0) continue;
    lines.emplace_back();
    for (index_t k = 0; k < extents[at]; ++k) lines.back().push_back(first + k * inner);
  }
  return lines;
}

inline value_type reduced_type(const host_array& a, int axis, dtype element) {
  value_type type = tile_of(a);
  type.element = element;
  type.extents[static_cast<std::size_t>(axis)] = 1;
  return type;
}

inline double accumulator_epsilon(dtype element) { return std::ldexp(1.0, element == dtype::f64 ? -53 : -24); }

// Sum of a line with the bound of testing.md: K * eps(accumulator) * sum|a|, then one rounding.
inline testing::AssertionResult is_sum(const host_array& a, std::span<const index_t> line, std::uint64_t got) {
  const dtype element = a.element();
  if (!is_floating(element)) {
    std::uint64_t sum = 0;
    for (const index_t i : line) sum += static_cast<std::uint64_t>(decode_integer(element, a.bits(i)));
    return is_same(element, got, low_bits(element, sum));
  }
  real sum = 0, magnitudes = 0;
  for (const index_t i : line) {
    sum += decode_float(element, a.bits(i));
    magnitudes += std::fabs(decode_float(element, a.bits(i)));
  }
  const real slack = static_cast<real>(line.size() - 1) * accumulator_epsilon(element) * magnitudes;
  return is_close(element, got, sum, 0.5001 + static_cast<double>(slack / spacing(element, sum)));
}

// Product of a line: each of K factors may cost eps(accumulator) of the result, then one rounding.
inline testing::AssertionResult is_product(const host_array& a, std::span<const index_t> line, std::uint64_t got) {
  const dtype element = a.element();
  real product = 1;
  std::uint64_t wrapped = 1;
  for (const index_t i : line) {
    if (is_floating(element)) product *= decode_float(element, a.bits(i));
    if (!is_floating(element)) wrapped *= static_cast<std::uint64_t>(decode_integer(element, a.bits(i)));
  }
  if (!is_floating(element)) return is_same(element, got, low_bits(element, wrapped));
  const real slack = static_cast<real>(line.size()) * accumulator_epsilon(element) * std::fabs(product);
  return is_close(element, got, product, 0.5001 + static_cast<double>(slack / spacing(element, product)));
}

}  // namespace tilewright::test
