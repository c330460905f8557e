// SPDX-License-Identifier: Apache-2.0
// The meaning of every element-wise op on single elements. The interpreter loops over these functions, the folder
// calls them on constants, and the cpu back end is compared with them.
//
//   integers      wrap at their width; index is i64
//   f16, bf16     each op is computed in f32 and its result rounded once to the element
//   fp8           no ops but conversions, which saturate: to the greatest number, infinity too
//   tf32          no ops but the conversions from and to f32; its products are those of the f32 that it is
//   f4e2m1        no ops but conversions, which saturate; of a NaN 6
//   i4, u4        no ops but the conversions from and to integers, which wrap
//   f8e8m0        no ops but the conversions from and to f32, which rounds a magnitude up, to 2^-127 at least
//   divisors      a zero divisor of an integer counts as 1 (the checks refuse it before a launch)
//   conversions   to a float: rounded once, to nearest even; float to integer saturates, NaN gives 0; to bool: is not 0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tilewright/ast/op_table.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::compiler::semantics {

template <class T>
inline constexpr bool is_fp8 = std::is_same_v<T, f8e4m3> || std::is_same_v<T, f8e5m2>;
template <class T>
inline constexpr bool is_narrow_float = std::is_same_v<T, f16> || std::is_same_v<T, bf16> || std::is_same_v<T, tf32> ||
                                        std::is_same_v<T, f8e8m0> || std::is_same_v<T, f4e2m1> || is_fp8<T>;
template <class T>
inline constexpr bool is_small_integer = std::is_same_v<T, i4> || std::is_same_v<T, u4>;
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || is_narrow_float<T>;

// The type that an element is computed in.
template <class T>
using arithmetic = std::conditional_t<is_narrow_float<T>, float, std::conditional_t<is_small_integer<T>, i32, T>>;

// ---- Conversions ---------------------------------------------------------------------------------------------------
// Double to f32, rounded to odd: rounding the result once more to a narrower float is then as good as rounding once.
inline float round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
  return std::bit_cast<float>(bits | 1U);
}

// An integer as a double whose last bit is sticky, for the same reason.
template <class T>
double sticky_double(T value) {
  const bool negative = value < T{0};
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (negative) magnitude = 0 - magnitude;
  const std::uint64_t sticky = (magnitude & 0x7ffU) != 0U ? 0x800U : 0U;
  if ((magnitude >> 53) != 0U) magnitude = (magnitude & ~std::uint64_t{0x7ff}) | sticky;
  const double result = static_cast<double>(magnitude);
  return negative ? -result : result;
}

template <class To, class From>
constexpr To saturate(From value) {
  using limits = std::numeric_limits<To>;
  constexpr From past_greatest = static_cast<From>(limits::max() / 2 + 1) * From{2};  // a power of two, so exact
  if (value != value) return To{0};
  if (value >= past_greatest) return limits::max();
  if (value <= static_cast<From>(limits::min())) return limits::min();
  return static_cast<To>(value);
}

template <class To, class From>
constexpr To cast(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_narrow_float<From>) {
    return cast<To>(static_cast<float>(value));
  } else if constexpr (is_small_integer<From>) {
    return cast<To>(static_cast<i32>(value));
  } else if constexpr (is_small_integer<To>) {
    return To(cast<i64>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (is_narrow_float<To>) {
    if constexpr (std::is_same_v<From, double>) return To(round_to_odd(value));
    if constexpr (std::is_integral_v<From> && sizeof(From) >= 4) return To(round_to_odd(sticky_double(value)));
    return To(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return saturate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <class To, class From>
requires(sizeof(To) == sizeof(From)) constexpr To bitcast(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return std::bit_cast<std::uint8_t>(value) != 0;  // every stored bool is 0 or 1
  } else if constexpr (is_half_byte(dtype_of<To>)) {
    return To::from_bits(std::bit_cast<std::uint8_t>(value));
  } else {
    return std::bit_cast<To>(value);
  }
}

// ---- Integers ------------------------------------------------------------------------------------------------------
template <class T>
constexpr T divide_integers(T a, T b) {
  if (b == T{0}) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == T{-1}) return static_cast<T>(0 - static_cast<std::uint64_t>(a));
  }
  return static_cast<T>(a / b);
}

template <class T>
constexpr T remainder_of_integers(T a, T b) {
  if (b == T{0}) return T{0};
  if constexpr (std::is_signed_v<T>) {
    if (b == T{-1}) return T{0};
  }
  return static_cast<T>(a % b);
}

// Whether truncation went up: the exact quotient is negative and not whole.
template <class T>
constexpr bool truncates_up(T remainder, T b) {
  return remainder != T{0} && ((remainder < T{0}) != (b < T{0}));
}

template <class T>
constexpr T shift_left(T a, T b) {
  constexpr std::uint64_t width = sizeof(T) * 8;
  const auto count = static_cast<std::uint64_t>(b);  // a negative count is a huge one
  return count >= width ? T{0} : static_cast<T>(static_cast<std::uint64_t>(a) << count);
}

template <class T>
constexpr T shift_right(T a, T b) {
  constexpr std::uint64_t width = sizeof(T) * 8;
  const auto count = static_cast<std::uint64_t>(b);
  if (count >= width) return a < T{0} ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> count);
}

// The upper half of a product in twice the width. Of unsigned halves it is one more `b` for each factor whose top bit
// counts as -2^63 in truth.
template <class T>
constexpr T multiply_high(T a, T b) {
  if constexpr (sizeof(T) < 8) {
    using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<wide>(a) * static_cast<wide>(b)) >> (8 * sizeof(T)));
  } else {
    constexpr std::uint64_t low = 0xffffffff;
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    const std::uint64_t first = (x & low) * (y >> 32), second = (x >> 32) * (y & low);
    const std::uint64_t middle = (((x & low) * (y & low)) >> 32) + (first & low) + (second & low);
    const std::uint64_t high = (x >> 32) * (y >> 32) + (first >> 32) + (second >> 32) + (middle >> 32);
    return static_cast<T>(high - (a < T{0} ? y : 0) - (b < T{0} ? x : 0));
  }
}

// ---- One function per form of op -----------------------------------------------------------------------------------
template <class T>
constexpr bool is_accepted(ast::op which) {
  return ast::takes(which, dtype_of<T>);
}

template <ast::op Which>
double function_in_double(double a) {
  using enum ast::op;
  if constexpr (Which == exp) return std::exp(a);
  if constexpr (Which == exp2) return std::exp2(a);
  if constexpr (Which == log) return std::log(a);
  if constexpr (Which == log2) return std::log2(a);
  if constexpr (Which == sqrt) return std::sqrt(a);
  if constexpr (Which == rsqrt) return 1.0 / std::sqrt(a);
  if constexpr (Which == tanh) return std::tanh(a);
  if constexpr (Which == sin) return std::sin(a);
  if constexpr (Which == cos) return std::cos(a);
  if constexpr (Which == tan) return std::tan(a);
  if constexpr (Which == sinh) return std::sinh(a);
  if constexpr (Which == cosh) return std::cosh(a);
  if constexpr (Which == floor) return std::floor(a);
  if constexpr (Which == ceil) return std::ceil(a);
}

template <ast::op Which, class T>
constexpr T unary(T a) {
  using enum ast::op;
  static_assert(ast::info(Which).category == ast::op_category::unary);
  if constexpr (is_narrow_float<T>) {
    return T(unary<Which>(static_cast<float>(a)));
  } else if constexpr (Which == negate) {
    if constexpr (is_float<T>) return -a;
    return static_cast<T>(0 - static_cast<std::uint64_t>(a));
  } else if constexpr (Which == absolute) {
    if constexpr (is_float<T>) return std::abs(a);
    return a < T{0} ? unary<negate>(a) : a;
  } else if constexpr (Which == bit_not) {
    if constexpr (std::is_same_v<T, bool>) {
      return !a;
    } else {
      return static_cast<T>(~static_cast<std::uint64_t>(a));
    }
  } else {
    return static_cast<T>(function_in_double<Which>(static_cast<double>(a)));
  }
}

template <ast::op Which>
double function_in_double(double a, double b) {
  using enum ast::op;
  if constexpr (Which == pow) return std::pow(a, b);
  if constexpr (Which == atan2) return std::atan2(a, b);
}

template <class T>
constexpr T lesser(T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  if constexpr (is_float<T>) {
    if (a == b) return std::signbit(a) ? a : b;
  }
  return b < a ? b : a;
}

template <class T>
constexpr T greater_of(T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  if constexpr (is_float<T>) {
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a < b ? b : a;
}

template <ast::op Which, class T>
constexpr T integer_binary(T a, T b) {
  using enum ast::op;
  const auto wide_a = static_cast<std::uint64_t>(a), wide_b = static_cast<std::uint64_t>(b);
  const T one_for_zero = b == T{0} ? T{1} : b;
  if constexpr (Which == add) return static_cast<T>(wide_a + wide_b);
  if constexpr (Which == subtract) return static_cast<T>(wide_a - wide_b);
  if constexpr (Which == multiply) return static_cast<T>(wide_a * wide_b);
  if constexpr (Which == divide) return divide_integers(a, b);
  if constexpr (Which == remainder) return remainder_of_integers(a, b);
  if constexpr (Which == floor_div) {
    const bool up = truncates_up(remainder_of_integers(a, one_for_zero), one_for_zero);
    return static_cast<T>(static_cast<std::uint64_t>(divide_integers(a, b)) - (up ? 1U : 0U));
  }
  if constexpr (Which == floor_mod) {
    const T rest = remainder_of_integers(a, one_for_zero);
    return truncates_up(rest, one_for_zero) ? static_cast<T>(rest + one_for_zero) : rest;
  }
  if constexpr (Which == ast::op::multiply_high) return semantics::multiply_high(a, b);
  if constexpr (Which == bit_and) return static_cast<T>(a & b);
  if constexpr (Which == bit_or) return static_cast<T>(a | b);
  if constexpr (Which == bit_xor) return static_cast<T>(a ^ b);
  if constexpr (Which == ast::op::shift_left) return semantics::shift_left(a, b);
  if constexpr (Which == ast::op::shift_right) return semantics::shift_right(a, b);
}

template <ast::op Which, class T>
constexpr T binary(T a, T b) {
  using enum ast::op;
  static_assert(ast::info(Which).category == ast::op_category::binary);
  if constexpr (is_narrow_float<T>) {
    return T(binary<Which>(static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (Which == minimum) {
    return lesser(a, b);
  } else if constexpr (Which == maximum) {
    return greater_of(a, b);
  } else if constexpr (is_float<T>) {
    if constexpr (Which == add) return a + b;
    if constexpr (Which == subtract) return a - b;
    if constexpr (Which == multiply) return a * b;
    if constexpr (Which == divide) return a / b;
    if constexpr (Which == pow || Which == atan2) {
      return static_cast<T>(function_in_double<Which>(static_cast<double>(a), static_cast<double>(b)));
    }
  } else {
    return integer_binary<Which>(a, b);
  }
}

template <ast::op Which, class T>
constexpr bool comparison(T a, T b) {
  using enum ast::op;
  static_assert(ast::info(Which).category == ast::op_category::comparison);
  if constexpr (is_narrow_float<T> || is_small_integer<T>) {
    return comparison<Which>(static_cast<arithmetic<T>>(a), static_cast<arithmetic<T>>(b));
  } else {
    if constexpr (Which == less) return a < b;
    if constexpr (Which == less_equal) return a <= b;
    if constexpr (Which == greater) return a > b;
    if constexpr (Which == greater_equal) return a >= b;
    if constexpr (Which == equal) return a == b;
    if constexpr (Which == not_equal) return a != b;
  }
}

template <class T>
T fma(T a, T b, T c) {
  if constexpr (is_narrow_float<T>) {
    return T(std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
  } else {
    return std::fma(a, b, c);
  }
}

template <class T>
constexpr T select(bool condition, T a, T b) {
  return condition ? a : b;
}

// ---- From values of the enums to template arguments ----------------------------------------------------------------
template <ast::op Which>
using op_constant = std::integral_constant<ast::op, Which>;

// Calls visitor(op_constant<Which>) for an op of the category; false when it is of another.
template <ast::op_category Category, class Visitor>
bool visit_op(ast::op which, Visitor&& visitor) {
  switch (which) {
#define TILEWRIGHT_OP(name, category, ...)                  \
  case ast::op::name:                                       \
    if constexpr (ast::op_category::category == Category) { \
      visitor(op_constant<ast::op::name>{});                \
      return true;                                          \
    }                                                       \
    return false;
    TILEWRIGHT_FOR_EACH_OP(TILEWRIGHT_OP)
#undef TILEWRIGHT_OP
  }
  return false;
}

// Calls visitor(std::type_identity<T>) with the C++ type of an element; index is std::int64_t.
template <class Visitor>
decltype(auto) visit_element(dtype type, Visitor&& visitor) {
  switch (type) {
    case dtype::boolean:
      return visitor(std::type_identity<bool>{});
    case dtype::i8:
      return visitor(std::type_identity<i8>{});
    case dtype::i16:
      return visitor(std::type_identity<i16>{});
    case dtype::i32:
      return visitor(std::type_identity<i32>{});
    case dtype::u8:
      return visitor(std::type_identity<u8>{});
    case dtype::u16:
      return visitor(std::type_identity<u16>{});
    case dtype::u32:
      return visitor(std::type_identity<u32>{});
    case dtype::u64:
      return visitor(std::type_identity<u64>{});
    case dtype::f16:
      return visitor(std::type_identity<f16>{});
    case dtype::bf16:
      return visitor(std::type_identity<bf16>{});
    case dtype::f32:
      return visitor(std::type_identity<f32>{});
    case dtype::f64:
      return visitor(std::type_identity<f64>{});
    case dtype::f8e4m3:
      return visitor(std::type_identity<f8e4m3>{});
    case dtype::f8e5m2:
      return visitor(std::type_identity<f8e5m2>{});
    case dtype::tf32:
      return visitor(std::type_identity<tf32>{});
    case dtype::f8e8m0:
      return visitor(std::type_identity<f8e8m0>{});
    case dtype::f4e2m1:
      return visitor(std::type_identity<f4e2m1>{});
    case dtype::i4:
      return visitor(std::type_identity<i4>{});
    case dtype::u4:
      return visitor(std::type_identity<u4>{});
    case dtype::i64:
    case dtype::index:
      break;
  }
  return visitor(std::type_identity<i64>{});
}

// The word of a program's constant: an f64's bits for floating elements, else a two's complement i64.
template <class T>
T from_constant(std::int64_t word) {
  if constexpr (is_float<T>) {
    const auto number = std::bit_cast<double>(word);
    if constexpr (is_fp8<T> && has_infinity(dtype_of<T>)) {  // which a cast would make the greatest number
      if (std::isinf(number)) return T::from_bits(number < 0 ? 0xfc : 0x7c);
    }
    return cast<T>(number);
  } else {
    return cast<T>(word);
  }
}
template <class T>
std::int64_t to_constant(T value) {
  if constexpr (is_float<T>) {
    return std::bit_cast<std::int64_t>(cast<double>(value));
  } else {
    return cast<std::int64_t>(value);
  }
}

}  // namespace tilewright::compiler::semantics
