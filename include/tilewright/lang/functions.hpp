// SPDX-License-Identifier: Apache-2.0
// Element-wise functions made of other operations: activations, rounding to whole numbers, exponentials and logarithms
// near 0, rotations of bits. Each is one operation to its caller: all its records stand at the caller's line. Error
// bounds are in units of the last place (ULP) of f32 and f64 results; f16 and bf16 are computed in f32 and rounded
// once. NaN gives NaN unless said otherwise. docs/reference/functions.md lists them.
#pragma once

#include "tilewright/lang/function_parts.hpp"

namespace tilewright {

#define TILEWRIGHT_FUNCTION(name)    \
  template <class T, Dim... Extents> \
  constexpr auto name(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place())

// ---- Activations
// 1 / (1 + e^-x); 6 ULP.
TILEWRIGHT_FUNCTION(sigmoid) {
  return lang::of_floats<true>(x, where, [](const auto& v) { return lang::logistic(v); });
}

// x * sigmoid(x), with -0 at -inf; 6 ULP and 4 |x| times the least denormal.
TILEWRIGHT_FUNCTION(silu) {
  return lang::of_floats<true>(x, where, [](const auto& v) {
    auto bounded = max(v, lang::activation_floor(v));
    return bounded * lang::logistic(bounded);
  });
}

// The greater of x and 0, of integers too; exact, +0 for -0.
TILEWRIGHT_FUNCTION(relu) {
  if constexpr (lang::same<T, bool>) {
    (void)sizeof(diagnostics::function_of_numbers<false, diagnostics::show<Tile<T, Extents...>>>);
    return lang::access::make<Tile<T, Extents...>>(lang::access::trace(x), 0);
  } else {
    return max(x, 0, where);
  }
}

// x * (1 + tanh(v / 2)) / 2 with v = sqrt(8 / pi) * (x + 0.044715 x^3), and -0 at -inf; 6 ULP, 4 |x| times the
// least denormal, and for v below 0 |v| * 2^-22 of the result (f64: 2^-51).
TILEWRIGHT_FUNCTION(gelu_tanh) {
  return lang::of_floats<true>(x, where, [](const auto& v) {
    auto bounded = max(v, lang::activation_floor(v));
    // (1 + tanh(u)) / 2 = 1 / (1 + e^-2u)
    auto twice = bounded * fma(bounded * bounded, 0.07135481627260025, 1.5957691216057308);
    return bounded * lang::logistic(max(twice, lang::activation_floor(v)));
  });
}

// x * (1 + erf(x / sqrt(2))) / 2, of f16, bf16 and f32, with -0 at -inf; 10 ULP, small results of very negative x
// included, and 4 |x| times the least denormal.
TILEWRIGHT_FUNCTION(gelu) {
  return lang::of_single_floats(x, where, [](const auto& v) {
    auto bounded = max(v, -15.0f);
    auto size = min(abs(bounded), 15.0f);
    auto half = size * 0.5f;
    auto square = half * size;
    auto rest = fma(half, size, -square);
    auto scaled = size * 0.70710678118654752;
    auto half_erfc = lang::erfc_far_from_zero(scaled, square, rest) * 0.5f;
    auto is_below = v < 0.0f;
    auto far = select(is_below, half_erfc, 1.0f - half_erfc);
    auto half_erf = lang::erf_near_zero(scaled, square) * 0.5f;
    auto near = lang::with_sign(half_erf, v) + 0.5f;
    auto is_near = scaled < lang::erf_near;
    return bounded * select(is_near, near, far);
  });
}

// log(1 + e^x), as max(x, 0) + log(1 + e^-|x|): neither overflows nor loses small results; 7 ULP.
TILEWRIGHT_FUNCTION(softplus) {
  return lang::of_floats<true>(x, where, [](const auto& v) {
    auto above = max(v, 0.0f);
    return above + lang::log_of_one_plus(exp(-abs(v)));
  });
}

// ---- Near 0
// e^x - 1, exact in relative terms near 0 too; -0 stays; 7 ULP.
TILEWRIGHT_FUNCTION(expm1) {
  return lang::of_floats<true>(x, where, [](const auto& v) {
    auto power = exp(v);
    auto rest = power - 1.0f;
    auto is_far = abs(v) > 4.0f;
    // rest / log(power) hardly depends on what power was rounded to. Far from 0 there is nothing to mend.
    auto mended = select(is_far, 1.0f, v / log(power));
    auto is_tiny = power == 1.0f;
    return select(is_tiny, v, rest * mended);
  });
}

// log(1 + x), exact in relative terms near 0 too; -0 stays, -inf at -1, NaN below; 5 ULP.
TILEWRIGHT_FUNCTION(log1p) {
  return lang::of_floats<true>(x, where, [](const auto& v) { return lang::log_of_one_plus(v); });
}

// ---- The error function, of f16, bf16 and f32
// 3 ULP; -0 stays, and -1 and 1 at infinities.
TILEWRIGHT_FUNCTION(erf) {
  return lang::of_single_floats(x, where, [](const auto& v) {
    auto size = min(abs(v), lang::erfc_end);
    auto near = lang::erf_near_zero(size, size * size);
    auto far = 1.0f - lang::erfc_far_from_zero(size);
    auto is_near = size < lang::erf_near;
    return lang::with_sign(select(is_near, near, far), v);
  });
}

// 1 - erf(x) without the loss of digits for large x; 8 ULP.
TILEWRIGHT_FUNCTION(erfc) {
  return lang::of_single_floats(x, where, [](const auto& v) {
    auto size = min(abs(v), lang::erfc_end);
    auto near = 1.0f - lang::with_sign(lang::erf_near_zero(size, size * size), v);
    auto tail = lang::erfc_far_from_zero(size);
    auto is_below = v < 0.0f;
    auto far = select(is_below, 2.0f - tail, tail);
    auto is_near = size < lang::erf_near;
    return select(is_near, near, far);
  });
}

// ---- To whole numbers: exact; -0 and infinities stay, and a result of 0 has the sign of x.
// Towards 0.
TILEWRIGHT_FUNCTION(trunc) {
  return lang::of_floats<false>(x, where, [](const auto& v) {
    auto is_below = v < 0.0f;
    auto up = ceil(v);
    return select(is_below, up, floor(v));
  });
}

// To the nearest; from the middle to the even one.
TILEWRIGHT_FUNCTION(round_half_even) {
  return lang::of_floats<false>(x, where, [](const auto& v) {
    // Next to this number floats are whole, so adding it rounds.
    constexpr double whole = static_cast<double>(1ULL << (info(dtype_of<T>).mantissa_bits - 1));
    auto size = abs(v);
    auto is_fraction = size < whole;
    return select(is_fraction, lang::with_sign((size + whole) - whole, v), v);
  });
}

// To the nearest; from the middle to the one farther from 0.
TILEWRIGHT_FUNCTION(round_half_away) {
  return lang::of_floats<false>(x, where, [](const auto& v) {
    auto size = abs(v);
    auto whole = floor(size);
    auto is_past_middle = size - whole >= 0.5f;
    return lang::with_sign(select(is_past_middle, whole + 1.0f, whole), v);
  });
}

// -1, 0 or 1 as x is below, at or above 0, of integers too; exact, zeros keep their sign.
TILEWRIGHT_FUNCTION(sign) {
  using A = Tile<T, Extents...>;
  if constexpr (lang::same<T, bool>) {
    (void)sizeof(diagnostics::function_of_numbers<false, diagnostics::show<A>>);
    return lang::access::make<A>(lang::access::trace(x), 0);
  } else {
    const ast::pinned_place pin(lang::access::trace(x), where);
    if constexpr (is_unsigned(dtype_of<T>)) {
      return min(x, 1);
    } else {
      auto is_above = x > 0;
      return select(is_above, 1, select(x < 0, -1, x));
    }
  }
}

// ---- Limits
// x where it lies between low and high, else the nearer of them: min(max(x, low), high), so that high wins where low is
// above it. low and high are tiles of x's element or literals; NaN in any of the three gives NaN.
template <AnyTile X, Operand Low, Operand High>
constexpr auto clamp(const X& x, const Low& low, const High& high, ast::source_place where = ast::source_place()) {
  const ast::pinned_place pin(lang::access::trace(x), where);
  return min(max(x, low), high);
}
// More specialised than std::clamp.
template <class T, Dim... Extents>
constexpr auto clamp(const Tile<T, Extents...>& x, const Tile<T, Extents...>& low, const Tile<T, Extents...>& high,
                     ast::source_place where = ast::source_place()) {
  const ast::pinned_place pin(lang::access::trace(x), where);
  return min(max(x, low), high);
}

// ---- Bits
// Integers with their bits moved in a circle, by a count of either sign and any size; exact.
template <class T, class Count, Dim... Extents>
constexpr auto rotate_left(const Tile<T, Extents...>& x, const Count& count,
                           ast::source_place where = ast::source_place()) {
  return lang::rotate<true>(x, count, where);
}
template <class T, class Count, Dim... Extents>
constexpr auto rotate_right(const Tile<T, Extents...>& x, const Count& count,
                            ast::source_place where = ast::source_place()) {
  return lang::rotate<false>(x, count, where);
}

#undef TILEWRIGHT_FUNCTION

// ---- Indicators
// 1 where a new last axis of extent Count counts to the value of ids, else 0; zeros for ids outside 0 to Count - 1. So
// one_hot<f32, N>(ids) of a tile<M> is a tile<M, N>. T may be bool; exact.
template <class T, Dim Count, class Id, Dim... Extents>
constexpr auto one_hot(const Tile<Id, Extents...>& ids, ast::source_place where = ast::source_place()) {
  constexpr bool integers = is_integer(dtype_of<Id>), rank_fits = sizeof...(Extents) < max_rank;
  if constexpr (!(integers && rank_fits)) {
    (void)sizeof(diagnostics::one_hot_of<integers, rank_fits, diagnostics::show<Tile<Id, Extents...>>>);
    return lang::access::make<Tile<T, Extents...>>(lang::access::trace(ids), 0);
  } else {
    ast::recorder& trace = lang::access::trace(ids);
    const ast::pinned_place pin(trace, where);
    using number = lang::choose<info(dtype_of<Id>).bits == 64, index_element, i32>;
    using numbers = Tile<number, lang::single<Extents>..., Count>;
    auto counted = lang::access::make<numbers>(trace, trace.add(ast::op::iota, numbers::type, 0, numbers::rank - 1));
    // Integers wrap, so what is too large for `number` is negative.
    auto is_counted = reshape(cast<number>(ids), extent_list<Extents..., Dim(1)>{}) == counted;
    if constexpr (lang::same<T, bool>) {
      return is_counted;
    } else {
      return cast<T>(is_counted);
    }
  }
}

}  // namespace tilewright
