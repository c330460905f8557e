// SPDX-License-Identifier: Apache-2.0
// What the functions made of other operations are made of: their refusals, the frame in which they record, and the
// formulas that several of them use.
#pragma once

#include "tilewright/lang/math.hpp"
#include "tilewright/lang/shape.hpp"

namespace tilewright::diagnostics {

template <bool Floating, class A>
struct function_of_floats {
  static_assert(Floating, "this function takes f16, bf16, f32 or f64; write cast<f32>(x) first");
};

template <bool Single, class A>
struct function_of_single_floats {
  static_assert(Single, "this function takes f16, bf16 or f32; write cast<f32>(x) first");
};

template <bool Number, class A>
struct function_of_numbers {
  static_assert(Number, "this function takes numbers, not bool");
};

template <bool Integers, bool RankFits, class A>
struct one_hot_of {
  static_assert(Integers, "one_hot takes integers or Index values");
  static_assert(RankFits, "one_hot adds an axis, and a tile has at most 6");
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
  if constexpr (!is_floating(dtype_of<T>) || is_only_factor(dtype_of<T>)) {
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

// ---- The error function
// Coefficients by tools/fit_polynomials. erf(x) = x + x * erf_ratio(x^2) for |x| < erf_near.
inline constexpr double erf_near = 0.86;
inline constexpr double erf_ratio[] = {0x1.06eba8p-3,  -0x1.812722p-2, 0x1.ce247cp-4,
                                       -0x1.b724d2p-6, 0x1.4afb4ep-8,  -0x1.4a7c02p-11};
// erfc(x) = e^-(x^2) * t * erfc_ratio(t) with t = 1 / (1 + 3 / 8 * x), for x from erf_near up to where it is 0.
inline constexpr double erfc_ratio[] = {0x1.b1385ep-3, 0x1.b2bf76p-3, 0x1.87b468p-3, 0x1.826388p-3,
                                        0x1.436154p-4, 0x1.f37ee6p-4, 0x1.7faed4p-5, -0x1.a72388p-5};
inline constexpr double erfc_end = 10.5;

template <int First = 0, int Count, class X>
constexpr auto polynomial(const X& x, const double (&coefficients)[Count]) {
  if constexpr (First == Count - 2) {
    return fma(x, coefficients[First + 1], coefficients[First]);
  } else {
    return fma(polynomial<First + 1>(x, coefficients), x, coefficients[First]);
  }
}

template <class X>
constexpr auto erf_near_zero(const X& x, const X& square) {
  return fma(x, polynomial(square, erf_ratio), x);
}
// erfc(x); square + rest is x^2, in more digits than one number has.
template <class X>
constexpr auto erfc_far_from_zero(const X& x, const X& square, const X& rest) {
  auto t = 1.0f / fma(x, 0.375, 1.0f);
  auto power = exp(-square);
  auto mended = fma(power, -rest, power);
  return t * polynomial(t, erfc_ratio) * mended;
}
template <class X>
constexpr auto erfc_far_from_zero(const X& x) {
  auto square = x * x;
  auto rest = fma(x, x, -square);
  return erfc_far_from_zero(x, square, rest);
}

template <Dim>
inline constexpr Dim single{1};

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

// As of_floats, for functions that have no f64 form.
template <class F, class T, Dim... Extents>
constexpr auto of_single_floats(const Tile<T, Extents...>& x, ast::source_place where, F f) {
  if constexpr (!is_floating(dtype_of<T>) || is_only_factor(dtype_of<T>) || dtype_of<T> == dtype::f64) {
    (void)sizeof(diagnostics::function_of_single_floats<false, diagnostics::show<Tile<T, Extents...>>>);
    return access::make<Tile<T, Extents...>>(access::trace(x), 0);
  } else {
    return of_floats<true>(x, where, f);
  }
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
