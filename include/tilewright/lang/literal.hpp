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

template <bool NotFloatForInteger, bool BoolForBool, class Element, class Given>
struct literal_and_element {
  static_assert(NotFloatForInteger,
                "a floating-point literal cannot be used with an integer tile; cast<f32>(tile) or use an integer");
  static_assert(BoolForBool, "only true and false fit a bool tile, and they fit no other");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

template <class U>
inline constexpr bool is_floating_literal = same<U, float> || same<U, double>;

// The least magnitude that rounds to infinity: the largest finite value plus half its last place.
constexpr double overflow_threshold(dtype element) {
  switch (element) {
    case dtype::f16:
      return 0x1.ffep15;
    case dtype::bf16:
      return 0x1.ffp127;
    case dtype::f32:
      return 0x1.ffffffp127;
    default:
      return __builtin_inf();
  }
}

template <class T>
constexpr long long checked_bits(double value) {
  const double magnitude = value < 0 ? -value : value;
  if (magnitude >= overflow_threshold(dtype_of<T>) && magnitude != __builtin_inf()) {
    diagnostics::error_literal_does_not_fit_the_element<T>(value);
  }
  return __builtin_bit_cast(long long, value);
}

// An integer in a floating tile: it must be exact, so that `x + 2049` means what it says in f16.
template <class T>
constexpr long long checked_bits_of_integer(long long value) {
  constexpr int mantissa = info(dtype_of<T>).mantissa_bits;
  unsigned long long odd_part =
      value < 0 ? 0ULL - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value);
  if (odd_part >> mantissa != 0) {
    while ((odd_part & 1U) == 0) odd_part >>= 1;
    if (odd_part >> mantissa != 0) diagnostics::error_literal_is_not_exact_in_the_element<T>(value);
  }
  return checked_bits<T>(static_cast<double>(value));
}

template <class T>
constexpr long long integer_limit(bool greatest) {
  constexpr int bits = info(dtype_of<T>).bits;
  if (is_unsigned(dtype_of<T>)) return greatest ? static_cast<long long>(~0ULL >> (64 - bits)) : 0;
  const long long most = static_cast<long long>(~0ULL >> (65 - bits));
  return greatest ? most : -most - 1;
}

template <class T, class U>
constexpr long long checked_integer(U value) {
  constexpr bool huge_type = sizeof(U) == 8 && U(-1) > U(0);
  if constexpr (huge_type) {
    const bool wide = same<T, u64>;
    if (!wide && value > static_cast<unsigned long long>(integer_limit<T>(true))) {
      diagnostics::error_literal_does_not_fit_the_element<T>(static_cast<unsigned long long>(value));
    }
  } else if constexpr (same<T, u64>) {
    if (static_cast<long long>(value) < 0) {
      diagnostics::error_literal_does_not_fit_the_element<T>(static_cast<long long>(value));
    }
  } else {
    const long long wide = static_cast<long long>(value);
    if (wide < integer_limit<T>(false) || wide > integer_limit<T>(true)) {
      diagnostics::error_literal_does_not_fit_the_element<T>(wide);
    }
  }
  return static_cast<long long>(value);
}

// The 64 bits that a `constant` record holds for this literal in a tile of T.
template <class T, Literal U>
constexpr long long literal_bits(U value) {
  constexpr bool floating_tile = is_floating(dtype_of<T>);
  constexpr bool kind_fits = floating_tile || !is_floating_literal<U>;
  constexpr bool bool_fits = same<T, bool> == same<U, bool>;
  if constexpr (!kind_fits || !bool_fits) {
    (void)sizeof(diagnostics::literal_and_element < kind_fits, !kind_fits || bool_fits, T, U >);
    return 0;
  } else if constexpr (same<T, bool>) {
    return value ? 1 : 0;
  } else if constexpr (is_floating_literal<U>) {
    return checked_bits<T>(static_cast<double>(value));
  } else if constexpr (floating_tile) {
    return checked_bits_of_integer<T>(static_cast<long long>(value));
  } else {
    return checked_integer<T>(value);
  }
}

// A literal operand and the place where it is used.
template <class T>
struct literal {
  long long bits;
  ast::source_place place;
  template <Literal U>
  constexpr literal(U value, ast::source_place where = ast::source_place())
      : bits(literal_bits<T>(value)), place(where) {}
};

template <class T, Dim... Extents>
constexpr int add_constant(ast::recorder& trace, long long bits) {
  return trace.add(ast::op::constant, &ast::type_object<T, Extents...>, 0,
                   static_cast<std::int32_t>(bits & 0xffffffffLL), static_cast<std::int32_t>(bits >> 32));
}

}  // namespace tilewright::lang
