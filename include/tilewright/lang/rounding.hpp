// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64 that is rounded otherwise than to nearest even, as bounds of intervals need it.
#pragma once

#include "tilewright/lang/math.hpp"

namespace tilewright::diagnostics {

template <bool IsWide, class Operand>
struct rounded_element {
  static_assert(IsWide, "toward_zero, downward and upward round f32 and f64; write cast<f32>(x)");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

template <class X>
inline constexpr bool is_rounded_operand = true;
template <AnyTile X>
inline constexpr bool is_rounded_operand<X> = ast::is_rounded(dtype_of<typename X::element>, ast::rounding::downward);

template <class... Operands>
constexpr auto require_rounded() {
  ((void)sizeof(diagnostics::rounded_element<is_rounded_operand<Operands>, diagnostics::show<Operands>>), ...);
}

// What one rounding has: each gives the exact result, rounded once.
template <ast::rounding Rounding>
struct rounded_arithmetic {
  template <Operand A, Operand B>
  requires(AnyTile<A> || AnyTile<B>) constexpr auto add(const A& a, const B& b,
                                                        ast::source_place where = ast::source_place()) const {
    return with_two<ast::op::add>(a, b, where);
  }
  template <Operand A, Operand B>
  requires(AnyTile<A> || AnyTile<B>) constexpr auto subtract(const A& a, const B& b,
                                                             ast::source_place where = ast::source_place()) const {
    return with_two<ast::op::subtract>(a, b, where);
  }
  template <Operand A, Operand B>
  requires(AnyTile<A> || AnyTile<B>) constexpr auto multiply(const A& a, const B& b,
                                                             ast::source_place where = ast::source_place()) const {
    return with_two<ast::op::multiply>(a, b, where);
  }
  template <Operand A, Operand B>
  requires(AnyTile<A> || AnyTile<B>) constexpr auto divide(const A& a, const B& b,
                                                           ast::source_place where = ast::source_place()) const {
    return with_two<ast::op::divide>(a, b, where);
  }
  // a * b + c
  template <Operand A, Operand B, Operand C>
  requires(AnyTile<A> || AnyTile<B> ||
           AnyTile<C>) constexpr auto fma(const A& a, const B& b, const C& c,
                                          ast::source_place where = ast::source_place()) const {
    require_rounded<A, B, C>();
    return multiply_add<Rounding>(a, b, c, where);
  }
  template <class T, Dim... Extents>
  constexpr auto sqrt(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) const {
    require_rounded<Tile<T, Extents...>>();
    access::trace(x).at(where);
    return unary<ast::op::sqrt, Rounding>(x);
  }

 private:
  template <ast::op Operation, class A, class B>
  static constexpr auto with_two(const A& a, const B& b, ast::source_place where) {
    require_rounded<A, B>();
    if constexpr (AnyTile<A>) access::trace(a).at(where);
    if constexpr (!AnyTile<A>) access::trace(b).at(where);
    return binary<Operation, Rounding>(a, b);
  }
};

}  // namespace lang

// How one operation rounds, of f32 and f64: the number next to the exact result that is nearer to 0, below it or above
// it. Where the exact result is past all finite numbers that is the last of them, or an infinity. A sum that is exactly
// 0 has the sign + unless both terms have -; downward it has - unless both have +.
//   auto least = downward.fma(a, b, c), greatest = upward.fma(a, b, c);
inline constexpr lang::rounded_arithmetic<ast::rounding::toward_zero> toward_zero{};
inline constexpr lang::rounded_arithmetic<ast::rounding::downward> downward{};
inline constexpr lang::rounded_arithmetic<ast::rounding::upward> upward{};

}  // namespace tilewright
