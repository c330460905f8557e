// SPDX-License-Identifier: Apache-2.0
// Element-wise functions made of other operations: activations, rounding to whole numbers, exponentials and logarithms
// near 0, rotations of bits. Each is one operation to its caller: all its records stand at the caller's line. Error
// bounds are in units of the last place (ULP) of f32 and f64 results; f16 and bf16 are computed in f32 and rounded
// once. NaN gives NaN unless said otherwise. docs/reference/functions.md lists them.
#pragma once

#include "tilewright/lang/math.hpp"

namespace tilewright::diagnostics {

template <bool Floating, class A>
struct function_of_floats {
  static_assert(Floating, "this function takes f16, bf16, f32 or f64; write cast<f32>(x) first");
};

template <bool Number, class A>
struct function_of_numbers {
  static_assert(Number, "this function takes numbers, not bool");
};

template <bool Integers, bool CountAgrees, class A, class Count>
struct rotated {
  static_assert(Integers, "rotate_left and rotate_right take integers");
  static_assert(CountAgrees, "the count of a rotation is an integer literal, or a tile of the same element type");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

// Gives f(x); with InSingle in f32 where x is narrower. (f is a lambda that gives what it makes, as a named tile would
// be a copy; and what it makes it names first where two would be arguments of one call, whose order compilers choose.)
template <bool InSingle, class F, class T, Dim... Extents>
constexpr auto of_floats(const Tile<T, Extents...>& x, ast::source_place where, F f) {
  if constexpr (!is_floating(dtype_of<T>)) {
    (void)sizeof(diagnostics::function_of_floats<false, diagnostics::show<Tile<T, Extents...>>>);
    return access::make<Tile<T, Extents...>>(access::trace(x), 0);
  } else {
    const ast::pinned_place pin(access::trace(x), where);
    if constexpr (InSingle && info(dtype_of<T>).bits < 32) {
      return cast<T>(f(cast<f32>(x)));
    } else {
      return f(x);
    }
  }
}

// Below this x, x * e^x is less than half the least denormal.
template <class T, Dim... Extents>
constexpr double activation_floor(const Tile<T, Extents...>&) {
  return dtype_of<T> == dtype::f64 ? -800.0 : -110.0;
}

// log(1 + x). What rounding lost in 1 + x cancels against the same loss in (1 + x) - 1.
template <class X>
constexpr auto log_of_one_plus(const X& x) {
  auto sum = x + 1.0f;
  auto is_tiny = sum == 1.0f;
  auto is_itself = is_tiny | (x == inf);
  auto lost = x / (sum - 1.0f);
  return select(is_itself, x, log(sum) * lost);
}

// 1 / (1 + e^-x) from e^-|x|, which neither overflows nor loses the small results of very negative x.
template <class X>
constexpr auto logistic(const X& x) {
  auto small = exp(-abs(x));
  auto top = select(x >= 0.0f, 1.0f, small);
  return top / (small + 1.0f);
}

// The unsigned element of T's width.
template <class T>
struct bits_of {
  using type = choose<info(dtype_of<T>).bits == 64, u64,
                      choose<info(dtype_of<T>).bits == 32, u32, choose<info(dtype_of<T>).bits == 16, u16, u8>>>;
};

// The size of a, with the sign of b.
template <class T, Dim... Extents>
constexpr auto with_sign(const Tile<T, Extents...>& a, const Tile<T, Extents...>& b) {
  using word = typename bits_of<T>::type;
  constexpr word sign_bit = static_cast<word>(word{1} << (info(dtype_of<T>).bits - 1));
  auto size = bitcast<word>(a);
  return bitcast<T>(size | (bitcast<word>(b) & sign_bit));
}

template <bool Left, class T, class Count, Dim... Extents>
constexpr auto rotate(const Tile<T, Extents...>& x, const Count& count, ast::source_place where) {
  constexpr bool integers = is_integer(dtype_of<T>) && dtype_of<T> != dtype::index;
  constexpr bool counts = []() {
    if constexpr (AnyTile<Count>) return same<typename Count::element, T>;
    return is_integer_literal<Count>;
  }();
  if constexpr (!(integers && counts)) {
    (void)sizeof(diagnostics::rotated < integers, counts || !integers, diagnostics::show<Tile<T, Extents...>>,
                 diagnostics::show < Count >>);
    return access::make<Tile<T, Extents...>>(access::trace(x), 0);
  } else {
    using word = typename bits_of<T>::type;
    constexpr int width = info(dtype_of<T>).bits;
    const ast::pinned_place pin(access::trace(x), where);
    const auto turned = [](const auto& bits, const auto& left, const auto& right) {
      auto upper = bits << left;
      return bitcast<T>(upper | bits >> right);  // a shift by the whole width gives 0
    };
    if constexpr (AnyTile<Count>) {
      constexpr word mask = width - 1;
      const auto here = [](const auto& by) { return Left ? by & mask : (0U - by) & mask; };
      auto left = here(bitcast<word>(count));
      auto right = static_cast<unsigned>(width) - left;
      return turned(bitcast<word>(x), left, right);
    } else {
      const int by = static_cast<int>(static_cast<long long>(count) % width + width) % width;
      const int left = Left ? by : (width - by) % width;
      return turned(bitcast<word>(x), left, width - left);
    }
  }
}

}  // namespace tilewright::lang

namespace tilewright {

#define TILEWRIGHT_FUNCTION(name)    \
  template <class T, Dim... Extents> \
  constexpr auto name(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place())

// ---- Activations
// 1 / (1 + e^-x); 5 ULP.
TILEWRIGHT_FUNCTION(sigmoid) {
  return lang::of_floats<true>(x, where, [](const auto& v) { return lang::logistic(v); });
}

// x * sigmoid(x), with -0 at -inf; 6 ULP, and where e^x is denormal 4 |x| times the least denormal more.
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

// x * (1 + tanh(v / 2)) / 2 with v = sqrt(8 / pi) * (x + 0.044715 x^3), and -0 at -inf; 6 ULP and for v below 0
// |v| * 2^-22 of the result (f64: 2^-51) more; where e^v is denormal as silu.
TILEWRIGHT_FUNCTION(gelu_tanh) {
  return lang::of_floats<true>(x, where, [](const auto& v) {
    auto bounded = max(v, lang::activation_floor(v));
    // (1 + tanh(u)) / 2 = 1 / (1 + e^-2u)
    auto twice = bounded * fma(bounded * bounded, 0.07135481627260025, 1.5957691216057308);
    return bounded * lang::logistic(max(twice, lang::activation_floor(v)));
  });
}

// log(1 + e^x), as max(x, 0) + log(1 + e^-|x|): neither overflows nor loses small results; 6 ULP.
TILEWRIGHT_FUNCTION(softplus) {
  return lang::of_floats<true>(x, where, [](const auto& v) {
    auto above = max(v, 0.0f);
    return above + lang::log_of_one_plus(exp(-abs(v)));
  });
}

// ---- Near 0
// e^x - 1, exact in relative terms near 0 too; -0 stays; 6 ULP.
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

}  // namespace tilewright
