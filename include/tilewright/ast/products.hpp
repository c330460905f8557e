// SPDX-License-Identifier: Apache-2.0
// Which elements a matrix product multiplies, and what it sums them in.
#pragma once

#include "tilewright/base/dtype.hpp"

namespace tilewright::ast {

constexpr bool is_byte(dtype type) { return type == dtype::i8 || type == dtype::u8; }

// Not f8e8m0, which only scales, and not f4e2m1, which tensor cores multiply with scales alone.
constexpr bool is_factor(dtype type) {
  return is_byte(type) || (is_floating(type) && type != dtype::f8e8m0 && type != dtype::f4e2m1);
}

// Factors are of one element, but for the signs of 8-bit integers.
constexpr bool are_factors(dtype a, dtype b) { return is_factor(a) && (a == b || (is_byte(a) && is_byte(b))); }

constexpr bool sums_in(dtype factor, dtype sum) {
  if (is_byte(factor)) return sum == dtype::i32;
  if (factor == dtype::f64) return sum == dtype::f64;
  return sum == dtype::f32 || (sum == dtype::f16 && (factor == dtype::f16 || is_fp8(factor)));
}

// Where a sum may be left to the tensor core alone.
constexpr bool has_fast_sum(dtype factor, dtype sum) { return is_fp8(factor) && sum == dtype::f32; }

// ---- Products of blocks along k that share a scale
constexpr bool is_scaled_factor(dtype type) { return is_fp8(type) || type == dtype::f4e2m1; }
constexpr bool is_scale_of(dtype factor, dtype scale) {
  return is_scaled_factor(factor) && (scale == dtype::f8e8m0 || (scale == dtype::f8e4m3 && factor == dtype::f4e2m1));
}
// Whether so many elements may share a scale.
constexpr bool is_block_depth(dtype factor, dtype scale, long long depth) {
  if (!is_scale_of(factor, scale)) return false;
  return (depth == 32 && scale == dtype::f8e8m0) || (depth == 16 && factor == dtype::f4e2m1);
}
constexpr bool are_blocks(dtype factor, dtype scale, long long k, long long blocks) {
  return blocks > 0 && k % blocks == 0 && is_block_depth(factor, scale, k / blocks);
}

// (m, k) by (k, n), or a batch of them along a first axis.
constexpr bool is_product_rank(int rank) { return rank == 2 || rank == 3; }

}  // namespace tilewright::ast
