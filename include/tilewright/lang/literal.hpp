// SPDX-License-Identifier: Apache-2.0
// C++ numbers in kernels. A literal takes the element type of the tile it meets and must fit it: nothing is converted
// behind the author's back.
#pragma once

#include "tilewright/lang/diagnostics.hpp"
#include "tilewright/lang/sequence.hpp"

namespace tilewright {

inline constexpr float inf = __builtin_inff();

namespace lang {

// The C++ types whose values may stand as literals. Characters are text and stay out.
template <class U>
inline constexpr bool is_literal = false;
template <>
inline constexpr bool is_literal<bool> = true;
template <>
inline constexpr bool is_literal<signed char> = true;
template <>
inline constexpr bool is_literal<unsigned char> = true;
template <>
inline constexpr bool is_literal<short> = true;
template <>
inline constexpr bool is_literal<unsigned short> = true;
template <>
inline constexpr bool is_literal<int> = true;
template <>
inline constexpr bool is_literal<unsigned> = true;
template <>
inline constexpr bool is_literal<long> = true;
template <>
inline constexpr bool is_literal<unsigned long> = true;
template <>
inline constexpr bool is_literal<long long> = true;
template <>
inline constexpr bool is_literal<unsigned long long> = true;
template <>
inline constexpr bool is_literal<float> = true;
template <>
inline constexpr bool is_literal<double> = true;

}  // namespace lang

template <class U>
concept Literal = lang::is_literal<U>;

}  // namespace tilewright

namespace tilewright::diagnostics {

template <bool KindFits, bool BoolFits, class Element, class Given>
struct literal_and_element {
  static_assert(KindFits,
                "a floating-point literal cannot be used with an integer tile; cast<f32>(tile) or use an integer");
  static_assert(BoolFits, "only true and false fit a bool tile, and they fit no other");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

template <class U>
inline constexpr bool is_floating_literal = same<U, float> || same<U, double>;
template <class U>
inline constexpr bool is_integer_literal = is_literal<U> && !is_floating_literal<U> && !same<U, bool>;

// A literal as a `constant` record holds it. Whether it fits is told later, by an operation that knows its line.
struct stated_literal {
  long long bits = 0;
  diagnostics::trace_rule rule = diagnostics::no_breach;
};

// The least magnitude that rounds past the largest finite value: that plus half its last place.
constexpr double overflow_threshold(dtype element) {
  switch (element) {
    case dtype::f16:
      return 0x1.ffep15;
    case dtype::bf16:
      return 0x1.ffp127;
    case dtype::tf32:
      return 0x1.ffep127;
    case dtype::f32:
      return 0x1.ffffffp127;
    case dtype::f8e4m3:
      return 0x1.dp8;
    case dtype::f8e5m2:
      return 0x1.ep15;
    case dtype::f8e8m0:
      return 0x1.0000000000001p127;
    case dtype::f4e2m1:
      return 7;
    default:
      return __builtin_inf();
  }
}

// The format of scales has no zero and no sign.
constexpr bool is_below_scales(dtype element, double value) { return element == dtype::f8e8m0 && value <= 0; }

template <class T>
inline constexpr stated_literal zero_of = {
    0, is_below_scales(dtype_of<T>, 0) ? diagnostics::error_literal_does_not_fit_the_element : diagnostics::no_breach};

template <class T>
constexpr stated_literal state_floating(double value) {
  const double magnitude = value < 0 ? -value : value;
  const bool overflows =
      magnitude >= overflow_threshold(dtype_of<T>) && (magnitude != __builtin_inf() || !has_infinity(dtype_of<T>));
  const bool fits = !overflows && !is_below_scales(dtype_of<T>, value);
  return {__builtin_bit_cast(long long, value),
          !fits ? diagnostics::error_literal_does_not_fit_the_element : diagnostics::no_breach};
}

// An integer in a floating tile must be exact, so that `x + 2049` means what it says in f16.
constexpr bool is_exact(unsigned long long magnitude, int mantissa_bits) {
  if (magnitude >> mantissa_bits == 0) return true;
  while ((magnitude & 1U) == 0) magnitude >>= 1;
  return magnitude >> mantissa_bits == 0;
}

template <class T, class U>
constexpr stated_literal state_integer_as_floating(U value) {
  const bool negative = value < U(0);
  const auto magnitude = static_cast<unsigned long long>(value);
  stated_literal result = state_floating<T>(static_cast<double>(value));
  const bool exact = is_exact(negative ? 0ULL - magnitude : magnitude, info(dtype_of<T>).mantissa_bits);
  if (result.rule == diagnostics::no_breach && !exact) {
    result.rule = diagnostics::error_literal_is_not_exact_in_the_element;
  }
  return result;
}

template <class T, class U>
constexpr stated_literal state_integer(U value) {
  constexpr int bits = info(dtype_of<T>).bits;
  constexpr int value_bits = is_unsigned(dtype_of<T>) ? bits : bits - 1;
  const bool negative = value < U(0);
  // -m - 1 has the bits of m inverted, so one comparison serves both signs.
  const auto word = static_cast<unsigned long long>(value);
  const unsigned long long reach = negative ? ~word : word;
  const bool fits = (value_bits == 64 || reach >> value_bits % 64 == 0) && !(negative && is_unsigned(dtype_of<T>));
  return {static_cast<long long>(value),
          fits ? diagnostics::no_breach : diagnostics::error_literal_does_not_fit_the_element};
}

// What types alone show: instantiating this reports a literal of a kind that the element cannot take.
template <class T, class U>
struct literal_check {
  static constexpr bool kind_fits = is_floating(dtype_of<T>) || !is_floating_literal<U>;
  static constexpr bool bool_fits = same<T, bool> == same<U, bool>;
  static constexpr bool tell_bool = bool_fits || !kind_fits;
  using type = choose<kind_fits && bool_fits, U, diagnostics::literal_and_element<kind_fits, tell_bool, T, U>>;
  static constexpr bool ok = sizeof(type) != 0 && kind_fits && bool_fits;
};

template <class T, class U>
requires(!is_literal<U>) struct literal_check<T, U> {
  static constexpr bool ok = true;  // not asked to be one
};

template <class T, Literal U>
constexpr stated_literal state(U value) {
  if constexpr (!literal_check<T, U>::ok) {
    return {};
  } else if constexpr (same<T, bool>) {
    return {value ? 1 : 0};
  } else if constexpr (is_floating_literal<U>) {
    return state_floating<T>(static_cast<double>(value));
  } else if constexpr (is_floating(dtype_of<T>)) {
    return state_integer_as_floating<T>(value);
  } else {
    return state_integer<T>(value);
  }
}

constexpr void require_fitting(ast::recorder& trace, stated_literal literal) {
  if (literal.rule != diagnostics::no_breach) trace.break_rule(literal.rule, literal.bits);
}

// Records a literal: a constant, or what else has one for its attributes.
template <class T, Dim... Extents>
constexpr int add_literal(ast::recorder& trace, ast::op which, stated_literal literal) {
  require_fitting(trace, literal);
  return trace.add(which, &ast::type_object<T, Extents...>, 0, static_cast<std::int32_t>(literal.bits & 0xffffffffLL),
                   static_cast<std::int32_t>(literal.bits >> 32));
}
template <class T, Dim... Extents>
constexpr int add_constant(ast::recorder& trace, stated_literal literal) {
  return add_literal<T, Extents...>(trace, ast::op::constant, literal);
}

// A literal where a tile of T is wanted, and the place where it is used. The check stands in the declaration: there
// every compiler knows the author's line.
template <class T>
struct literal {
  stated_literal stated;
  ast::source_place place;
  template <Literal U, bool = literal_check<T, U>::ok>
  constexpr literal(U value, ast::source_place where = ast::source_place()) : stated(state<T>(value)), place(where) {}
};

}  // namespace tilewright::lang
