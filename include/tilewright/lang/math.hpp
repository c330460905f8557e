// SPDX-License-Identifier: Apache-2.0
// Element-wise functions, select, and conversions between elements.
#pragma once

#include "tilewright/lang/tile.hpp"

namespace tilewright::diagnostics {

template <bool ConditionIsBool, bool OneIsTile, bool ConditionJoins, class Condition, class A, class B>
struct select_operands {
  static_assert(ConditionIsBool, "select needs a bool tile as condition, such as a comparison gives");
  static_assert(OneIsTile, "select between two literals has no element type; make one of them a tile");
  static_assert(ConditionJoins, "select: the shape of the condition and of the values differ");
};

template <bool IsTraced, class Condition>
struct select_condition {
  static_assert(IsTraced, "select needs a traced condition; for a constant one write ?: or if constexpr");
};

template <bool IsFloat, class Operand>
struct number_or_nan {
  static_assert(IsFloat, "min_number and max_number choose among floats, of which one may be NaN; write min or max");
};

template <bool IndexFromInteger, class From>
struct cast_to_index {
  static_assert(IndexFromInteger, "only integers become an Index; round and cast to an integer first");
};

template <bool IsOfF32, bool IsOfIntegers, class To, class From>
struct cast_by_another {
  static_assert(IsOfF32, "tf32 and f8e8m0 are made of f32 and become f32; write cast<T>(cast<f32>(x))");
  static_assert(IsOfIntegers, "i4 and u4 are made of integers and become integers; write cast<T>(cast<i32>(x))");
};

template <bool NotPacked, bool SameWidth, class To, class From>
struct bitcast_elements {
  static_assert(NotPacked, "bitcast takes numbers, not bool, Index or tf32");
  static_assert(SameWidth, "bitcast needs elements of equal width; one of 4 bits is the low half of a u8");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

// Functions of one tile, element by element. Error bounds, in units of the last place of f32, stand in the op table and
// docs/reference/ops.md; f16 and bf16 are computed in f32 and rounded once more.
#define TILEWRIGHT_UNARY(name, operation)                                                            \
  template <class T, Dim... Extents>                                                                 \
  constexpr auto name(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) { \
    lang::access::trace(x).at(where);                                                                \
    return lang::unary<ast::op::operation>(x);                                                       \
  }
TILEWRIGHT_UNARY(abs, absolute)
TILEWRIGHT_UNARY(exp, exp)
TILEWRIGHT_UNARY(exp2, exp2)
TILEWRIGHT_UNARY(log, log)
TILEWRIGHT_UNARY(log2, log2)  // NaN below 0, -inf at 0
TILEWRIGHT_UNARY(sqrt, sqrt)
TILEWRIGHT_UNARY(rsqrt, rsqrt)
TILEWRIGHT_UNARY(tanh, tanh)
TILEWRIGHT_UNARY(sin, sin)
TILEWRIGHT_UNARY(cos, cos)
TILEWRIGHT_UNARY(tan, tan)      // of radians, of any size
TILEWRIGHT_UNARY(sinh, sinh)    // relative to the result, near 0 too
TILEWRIGHT_UNARY(cosh, cosh)    // even
TILEWRIGHT_UNARY(floor, floor)  // exact; -0, infinities and NaN stay
TILEWRIGHT_UNARY(ceil, ceil)    // exact; what lies above -1 and below 0 becomes -0
#undef TILEWRIGHT_UNARY

// The first form is more specialised than std::min and std::max, which `using namespace std` would bring in.
#define TILEWRIGHT_BINARY_FUNCTION(name, operation)                                                       \
  template <class T, Dim... Extents>                                                                      \
  constexpr auto name(const Tile<T, Extents...>& a, const Tile<T, Extents...>& b,                         \
                      ast::source_place where = ast::source_place()) {                                    \
    lang::access::trace(a).at(where);                                                                     \
    return lang::binary<ast::op::operation>(a, b);                                                        \
  }                                                                                                       \
  template <Operand A, Operand B>                                                                         \
  requires(AnyTile<A> || AnyTile<B>) constexpr auto name(const A& a, const B& b,                          \
                                                         ast::source_place where = ast::source_place()) { \
    lang::trace_of(a, b).at(where);                                                                       \
    return lang::binary<ast::op::operation>(a, b);                                                        \
  }

TILEWRIGHT_BINARY_FUNCTION(min, minimum)
TILEWRIGHT_BINARY_FUNCTION(max, maximum)
TILEWRIGHT_BINARY_FUNCTION(floor_div, floor_div)
TILEWRIGHT_BINARY_FUNCTION(floor_mod, floor_mod)
// a to the power of b, as C defines it: 1 where b is 0 or a is 1, even with NaN; NaN where a is below 0, finite, and b
// no whole number; a zero or infinite a keeps its sign for odd b.
TILEWRIGHT_BINARY_FUNCTION(pow, pow)
// The angle of the point (x = b, y = a) with the x axis in radians, -pi to pi, as C defines it: zeros count with their
// sign, and infinities as equally large.
TILEWRIGHT_BINARY_FUNCTION(atan2, atan2)
// The upper half of the product of two integers in twice their width; signed or unsigned as the element is.
TILEWRIGHT_BINARY_FUNCTION(multiply_high, multiply_high)
#undef TILEWRIGHT_BINARY_FUNCTION

// a where the condition holds, else b; evaluates both. One of a and b may be a literal.
template <class C, class A, class B>
constexpr auto select(const C& condition, const A& a, const B& b, ast::source_place where = ast::source_place()) {
  if constexpr (!AnyTile<C>) {
    (void)sizeof(diagnostics::select_condition<false, C>);
    if constexpr (AnyTile<A>) return A(a);
  } else if constexpr (!(AnyTile<A> || AnyTile<B>) || !lang::same<typename C::element, bool>) {
    (void)sizeof(diagnostics::select_operands < lang::same<typename C::element, bool>, AnyTile<A> || AnyTile<B>, true,
                 diagnostics::show<C>, diagnostics::show<A>, diagnostics::show < B >>);
    if constexpr (AnyTile<A>) {
      return lang::access::make<typename A::tile_type>(lang::access::trace(condition), 0);
    } else {
      return lang::access::make<lang::tile_of<f32, typename C::extents>>(lang::access::trace(condition), 0);
    }
  } else {
    using T = typename lang::element_of_either<A, B>::type;
    using values =
        lang::elementwise_check<typename lang::operand_tile<A, T>::type, typename lang::operand_tile<B, T>::type>;
    using whole = lang::join<typename C::extents, typename values::extents>;
    using result = lang::tile_of<T, typename whole::type>;
    if constexpr (!values::ok) {
      lang::report_elementwise<typename lang::operand_tile<A, T>::type, typename lang::operand_tile<B, T>::type>();
    } else if constexpr (!whole::ok) {
      (void)sizeof(diagnostics::select_operands<true, true, false, diagnostics::show<C>, diagnostics::show<A>,
                                                diagnostics::show<B>>);
    }
    ast::recorder& trace = lang::access::trace(condition);
    trace.at(where);
    const int chosen = lang::use_as<T>(trace, a);
    const int other = lang::use_as<T>(trace, b);
    return lang::access::make<result>(
        trace, trace.add(ast::op::select, result::type, 3, lang::access::use(condition), chosen, other));
  }
}

namespace lang {

template <ast::rounding Rounding, class A, class B, class C>
constexpr auto multiply_add(const A& a, const B& b, const C& c, ast::source_place where) {
  using T = typename lang::element_of_either<A, typename lang::choose<AnyTile<B>, B, C>>::type;
  using tile_a = typename lang::operand_tile<A, T>::type;
  using tile_b = typename lang::operand_tile<B, T>::type;
  using tile_c = typename lang::operand_tile<C, T>::type;
  using product = elementwise_check<tile_a, tile_b>;
  using sum = elementwise_check<tile_of<T, typename product::extents>, tile_c>;
  using result = tile_of<T, typename sum::extents>;
  if constexpr (!product::ok) {
    report_elementwise<tile_a, tile_b>();
  } else if constexpr (!sum::ok) {
    report_elementwise<tile_of<T, typename product::extents>, tile_c>();
  } else if constexpr (!accepted<ast::op::fma, T>) {
    (void)sizeof(diagnostics::operation_and_element<false, ast::op::fma, diagnostics::show<result>>);
  }
  ast::recorder& trace = trace_of(a, b, c);
  trace.at(where);
  const int ids[] = {use_as<T>(trace, a), use_as<T>(trace, b), use_as<T>(trace, c)};
  return access::make<result>(trace, add_rounded<ast::op::fma, Rounding>(trace, result::type, ids[0], ids[1], ids[2]));
}

}  // namespace lang

// a * b + c, rounded once.
template <Operand A, Operand B, Operand C>
requires(AnyTile<A> || AnyTile<B> || AnyTile<C>) constexpr auto fma(const A& a, const B& b, const C& c,
                                                                    ast::source_place where = ast::source_place()) {
  return lang::multiply_add<ast::rounding::nearest_even>(a, b, c, where);
}

namespace lang {
template <AnyTile X, AnyTile Other>
constexpr auto unless_nan(const X& x, const Other& other, ast::source_place where) {
  trace_of(x).at(where);
  return select(binary<ast::op::not_equal>(x, x), other, x, where);
}
template <ast::op Operation, class A, class B>
constexpr auto of_numbers(const A& a, const B& b, ast::source_place where) {
  if constexpr (!is_floating(dtype_of<typename A::element>)) {
    (void)sizeof(diagnostics::number_or_nan<false, diagnostics::show<A>>);
  }
  const auto left = unless_nan(a, b, where);
  const auto right = unless_nan(b, a, where);
  trace_of(a).at(where);
  return binary<Operation>(left, right);
}
}  // namespace lang

// The lesser and the greater of two where NaN loses: a number if one is, where min and max give NaN. -0 is below +0.
//   auto [best] = reduce<1>(values(x), identity(-infinity), [](auto a, auto b) {
//     return values(max_number(a.first, b.first));
//   });
template <AnyTile A, AnyTile B>
constexpr auto min_number(const A& a, const B& b, ast::source_place where = ast::source_place()) {
  return lang::of_numbers<ast::op::minimum>(a, b, where);
}
template <AnyTile A, AnyTile B>
constexpr auto max_number(const A& a, const B& b, ast::source_place where = ast::source_place()) {
  return lang::of_numbers<ast::op::maximum>(a, b, where);
}

// To another element. Floats round to nearest even, to f8e8m0 up; float to integer truncates, saturates and takes NaN
// to 0. f4e2m1 saturates and takes NaN to 6; i4 and u4 wrap.
template <class To, class T, Dim... Extents>
constexpr auto cast(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  using result = Tile<To, Extents...>;
  if constexpr (lang::same<To, index_element> && !is_integer(dtype_of<T>)) {
    (void)sizeof(diagnostics::cast_to_index<false, diagnostics::show<Tile<T, Extents...>>>);
  }
  if constexpr (!ast::is_converted(dtype_of<T>, dtype_of<To>)) {
    constexpr bool is_of_single = tilewright::is_of_single(dtype_of<T>) || tilewright::is_of_single(dtype_of<To>);
    (void)sizeof(diagnostics::cast_by_another<!is_of_single, is_of_single, diagnostics::show<result>,
                                              diagnostics::show<Tile<T, Extents...>>>);
  }
  ast::recorder& trace = lang::access::trace(x);
  trace.at(where);
  return lang::access::make<result>(trace, trace.add(ast::op::cast, result::type, 1, lang::access::use(x)));
}

// An integer tile as Index values.
template <class T, Dim... Extents>
constexpr auto to_index(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  return cast<index_element>(x, where);
}

// The same bits under another element of equal width. Of a u8 an element of 4 bits is the low half; as a u8 it is below
// 16. (unpack and pack convert bytes that hold two.)
template <class To, class T, Dim... Extents>
constexpr auto bitcast(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  using result = Tile<To, Extents...>;
  constexpr auto is_number = [](dtype type) {
    return type != dtype::boolean && type != dtype::index && type != dtype::tf32;
  };
  constexpr bool numbers = is_number(dtype_of<To>) && is_number(dtype_of<T>);
  (void)sizeof(diagnostics::bitcast_elements < numbers, ast::shares_bits(dtype_of<T>, dtype_of<To>) || !numbers,
               diagnostics::show<result>, diagnostics::show < Tile < T, Extents... >>>);
  ast::recorder& trace = lang::access::trace(x);
  trace.at(where);
  return lang::access::make<result>(trace, trace.add(ast::op::bitcast, result::type, 1, lang::access::use(x)));
}

}  // namespace tilewright
