// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64 that is rounded otherwise than to nearest even: in a direction, as bounds of intervals need
// it; without denormals; or within a bound, where that is cheaper.
#pragma once

#include "tilewright/lang/math.hpp"

namespace tilewright::diagnostics {

template <bool IsWide, class Operand>
struct rounded_element {
  static_assert(IsWide, "toward_zero, downward and upward round f32 and f64; write cast<f32>(x)");
};

template <bool IsSingle, class Operand>
struct single_element {
  static_assert(IsSingle, "approximate, full_range and flush_denormals compute in f32 alone; write cast<f32>(x)");
};

template <bool HasIt, ast::op Operation, ast::rounding Rounding>
struct rounded_operation {
  static_assert(HasIt, "this operation does not round so; docs/reference/functions.md tells which do");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

template <class X, ast::rounding Rounding>
inline constexpr bool is_rounded_operand = true;
template <AnyTile X, ast::rounding Rounding>
inline constexpr bool is_rounded_operand<X, Rounding> = ast::is_rounded(dtype_of<typename X::element>, Rounding);

template <ast::op Operation, ast::rounding Rounding, class... Operands>
constexpr auto require_rounded() {
  (void)sizeof(diagnostics::rounded_operation<ast::may_round(Operation, Rounding), Operation, Rounding>);
  if constexpr (ast::is_directed(Rounding)) {
    ((void)sizeof(diagnostics::rounded_element<is_rounded_operand<Operands, Rounding>, diagnostics::show<Operands>>),
     ...);
  } else {
    ((void)sizeof(diagnostics::single_element<is_rounded_operand<Operands, Rounding>, diagnostics::show<Operands>>),
     ...);
  }
}

// What may be said of one rounding.
#define TILEWRIGHT_ROUNDED_UNARY(name, operation)                                                          \
  template <class T, Dim... Extents>                                                                       \
  constexpr auto name(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) const { \
    require_rounded<ast::op::operation, Rounding, Tile<T, Extents...>>();                                  \
    access::trace(x).at(where);                                                                            \
    return unary<ast::op::operation, Rounding>(x);                                                         \
  }
#define TILEWRIGHT_ROUNDED_BINARY(name, operation)                                                              \
  template <Operand A, Operand B>                                                                               \
  requires(AnyTile<A> || AnyTile<B>) constexpr auto name(const A& a, const B& b,                                \
                                                         ast::source_place where = ast::source_place()) const { \
    require_rounded<ast::op::operation, Rounding, A, B>();                                                      \
    trace_of(a, b).at(where);                                                                                   \
    return binary<ast::op::operation, Rounding>(a, b);                                                          \
  }

template <ast::rounding Rounding>
struct rounded_arithmetic {
  TILEWRIGHT_ROUNDED_BINARY(add, add)
  TILEWRIGHT_ROUNDED_BINARY(subtract, subtract)
  TILEWRIGHT_ROUNDED_BINARY(multiply, multiply)
  TILEWRIGHT_ROUNDED_BINARY(divide, divide)
  TILEWRIGHT_ROUNDED_BINARY(min, minimum)
  TILEWRIGHT_ROUNDED_BINARY(max, maximum)
  TILEWRIGHT_ROUNDED_UNARY(sqrt, sqrt)
  TILEWRIGHT_ROUNDED_UNARY(rsqrt, rsqrt)
  TILEWRIGHT_ROUNDED_UNARY(exp2, exp2)
  TILEWRIGHT_ROUNDED_UNARY(tanh, tanh)
  // a * b + c
  template <Operand A, Operand B, Operand C>
  requires(AnyTile<A> || AnyTile<B> ||
           AnyTile<C>) constexpr auto fma(const A& a, const B& b, const C& c,
                                          ast::source_place where = ast::source_place()) const {
    require_rounded<ast::op::fma, Rounding, A, B, C>();
    return multiply_add<Rounding>(a, b, c, where);
  }
};

#undef TILEWRIGHT_ROUNDED_UNARY
#undef TILEWRIGHT_ROUNDED_BINARY

}  // namespace lang

// How one operation rounds, of f32 and f64: the number next to the exact result that is nearer to 0, below it or above
// it. Where the exact result is past all finite numbers that is the last of them, or an infinity. A sum that is exactly
// 0 has the sign + unless both terms have -; downward it has - unless both have +. They have add, subtract, multiply,
// divide, fma and sqrt.
//   auto least = downward.fma(a, b, c), greatest = upward.fma(a, b, c);
inline constexpr lang::rounded_arithmetic<ast::rounding::toward_zero> toward_zero{};
inline constexpr lang::rounded_arithmetic<ast::rounding::downward> downward{};
inline constexpr lang::rounded_arithmetic<ast::rounding::upward> upward{};

// Denormal operands and results of f32 count as 0 of their sign; else as usual. The same, and min, max, rsqrt, exp2.
inline constexpr lang::rounded_arithmetic<ast::rounding::flushed> flush_denormals{};

// f32, cheaper on the GPU and within a bound there: at most 2 ULP wrong where a quotient's divisor lies between 2^-126
// and 2^126, with any number past them; a root at most 2^-23 of its value, tanh at most 2^-11. To nearest elsewhere.
inline constexpr lang::rounded_arithmetic<ast::rounding::approximate> approximate{};

// A quotient of f32 that is at most 2 ULP wrong for every divisor.
inline constexpr lang::rounded_arithmetic<ast::rounding::full_range> full_range{};

}  // namespace tilewright
