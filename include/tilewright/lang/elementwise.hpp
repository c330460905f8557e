// SPDX-License-Identifier: Apache-2.0
// How element-wise operations are checked and recorded; the operators and named functions are thin over this.
#pragma once

#include "tilewright/lang/extents.hpp"
#include "tilewright/lang/literal.hpp"

namespace tilewright {

// Any tile, scalars and Index included.
template <class X>
concept AnyTile = X::is_tile;

template <class U>
concept Operand = AnyTile<U> || Literal<U>;

}  // namespace tilewright

namespace tilewright::diagnostics {

template <bool TypesAgree, bool RanksAgree, bool ShapesJoin, class A, class B>
struct elementwise_operands {
  static_assert(TypesAgree, "operands have different element types; nothing is converted silently, write cast<T>(x)");
  static_assert(RanksAgree, "operands have different ranks; write reshape(x, tile<...>) first");
  static_assert(ShapesJoin, "tile shapes differ: on each axis the extents must be equal or one of them 1");
};

template <bool Accepted, ast::op Operation, class A>
struct operation_and_element {
  static_assert(
      Accepted,
      "this operation does not take this element type; write cast<T>(x) first, of fp8 cast<f32>(x), of f4e2m1, "
      "of tf32 and f8e8m0 too, of i4 and u4 cast<i32>(x)");
};

template <bool IsDim, class A, class Given>
struct other_operand {
  static_assert(!IsDim, "a Dim is not a value inside a kernel; write b.size(tile<D>) for the extent it is bound to");
  static_assert(IsDim, "the other operand is neither a tile nor a number");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

// The only way into a tile's private parts.
struct access {
  template <class T, Dim... Extents>
  static constexpr ast::recorder& trace(const Tile<T, Extents...>& tile) {
    return *tile.trace_;
  }
  // The id of a tile's value, for use as an operand here and now.
  template <class T, Dim... Extents>
  static constexpr int use(const Tile<T, Extents...>& tile) {
    tile.trace_->require_open(tile.region_);
    return tile.id_;
  }
  template <class T, Dim... Extents>
  static constexpr int id(const Tile<T, Extents...>& tile) {
    return tile.id_;
  }
  template <class T, Dim... Extents>
  static constexpr int region(const Tile<T, Extents...>& tile) {
    return tile.region_;
  }
  template <class Result>
  static constexpr Result make(ast::recorder& trace, int id) {
    return Result(&trace, id, trace.region());
  }
};

// ---- Element rules of the op table
template <ast::op Operation, class T>
inline constexpr bool accepted = ast::takes(Operation, dtype_of<T>);

template <ast::op Operation, class T>
using result_element = choose<ast::info(Operation).category == ast::op_category::comparison, bool, T>;

// ---- Operands that may be literals
// What a literal is as an operand: rank 0 of the other one's element.
template <class X, class T>
struct operand_tile {
  using type = Tile<T>;
};
template <AnyTile X, class T>
struct operand_tile<X, T> {
  using type = typename X::tile_type;
};
template <class A, class B>
struct element_of_either {
  using type = typename B::element;
};
template <AnyTile A, class B>
struct element_of_either<A, B> {
  using type = typename A::element;
};

template <class A, class... Rest>
constexpr ast::recorder& trace_of(const A& a, const Rest&... rest) {
  if constexpr (AnyTile<A>) {
    return access::trace(a);
  } else {
    return trace_of(rest...);
  }
}

// The id of an operand that is a tile of T, or a literal that becomes one. (`auto`, here and below: a compiler that
// deduces a return type looks into the body at once, while it still knows the author's line.)
template <class T, class X>
constexpr auto use_as(ast::recorder& trace, const X& x) {
  if constexpr (AnyTile<X>) {
    return access::use(x);
  } else {
    static_assert(literal_check<T, X>::ok || !literal_check<T, X>::ok);
    return add_constant<T>(trace, state<T>(x));
  }
}

// ---- Recording
// A record of an element-wise op, with its rounding where it states one.
template <ast::op Operation, ast::rounding Rounding = ast::rounding::nearest_even, class... Operands>
constexpr int add_rounded(ast::recorder& trace, const ast::type_source* type, Operands... operands) {
  if constexpr (ast::states_rounding(Operation)) {
    return trace.add(Operation, type, sizeof...(Operands), operands..., static_cast<int>(Rounding));
  } else {
    return trace.add(Operation, type, sizeof...(Operands), operands...);
  }
}

template <ast::op Operation, ast::rounding Rounding = ast::rounding::nearest_even, class A>
constexpr auto unary(const A& a) {
  if constexpr (!accepted<Operation, typename A::element>) {
    (void)sizeof(diagnostics::operation_and_element<false, Operation, diagnostics::show<A>>);
  }
  return access::make<typename A::tile_type>(
      access::trace(a), add_rounded<Operation, Rounding>(access::trace(a), A::type, access::use(a)));
}

// The right-hand side of an operator: what has the tile's own result type and knows where it stands. Operators can have
// no default arguments, but a constructor that converts to one of these can.
template <class Self>
class operand {
 public:
  using element = typename Self::element;
  constexpr operand(const Self& tile, ast::source_place where = ast::source_place())
      : place(where), id_(access::id(tile)), region_(access::region(tile)) {}
  template <class Scalar>
  requires(__is_base_of(Tile<element>, Scalar) &&
           Self::rank != 0) constexpr operand(const Scalar& scalar, ast::source_place where = ast::source_place())
      : place(where), id_(access::id(scalar)), region_(access::region(scalar)) {}
  template <Literal U, bool = literal_check<element, U>::ok>
  constexpr operand(U literal, ast::source_place where = ast::source_place())
      : place(where), literal_(state<element>(literal)) {}

  constexpr int use(ast::recorder& trace) const {
    if (id_ < 0) return add_constant<element>(trace, literal_);
    trace.require_open(region_);
    return id_;
  }

  ast::source_place place;

 private:
  int id_ = -1, region_ = 0;
  stated_literal literal_;
};

// tile op operand: the tile's shape holds both.
template <ast::op Operation, class A>
constexpr auto binary_here(const A& a, const operand<A>& b) {
  using T = typename A::element;
  using result = tile_of<result_element<Operation, T>, typename A::extents>;
  if constexpr (!accepted<Operation, T>) {
    (void)sizeof(diagnostics::operation_and_element<false, Operation, diagnostics::show<A>>);
  }
  ast::recorder& trace = access::trace(a);
  trace.at(b.place);
  const int left = access::use(a);
  return access::make<result>(trace, add_rounded<Operation>(trace, result::type, left, b.use(trace)));
}

template <class A, class B>
struct elementwise_check {
  using shapes = join<typename A::extents, typename B::extents>;
  static constexpr bool types_agree = same<typename A::element, typename B::element>;
  static constexpr bool ok = types_agree && shapes::ok;
  using extents = typename shapes::type;
};
template <class A, class B>
constexpr auto report_elementwise() {
  using check = elementwise_check<A, B>;
  (void)sizeof(
      diagnostics::elementwise_operands<check::types_agree, check::shapes::ranks_agree, check::shapes::extents_agree,
                                        diagnostics::show<A>, diagnostics::show<B>>);
}

// Any two operands, one of them a tile.
template <ast::op Operation, ast::rounding Rounding = ast::rounding::nearest_even, class A, class B>
constexpr auto binary(const A& a, const B& b) {
  using T = typename element_of_either<A, B>::type;
  using tile_a = typename operand_tile<A, T>::type;
  using tile_b = typename operand_tile<B, T>::type;
  using check = elementwise_check<tile_a, tile_b>;
  using result = tile_of<result_element<Operation, T>, typename check::extents>;
  if constexpr (!(AnyTile<A> || Literal<A>)) {
    (void)sizeof(diagnostics::other_operand<same<A, Dim>, diagnostics::show<B>, A>);
    return access::make<result>(access::trace(b), 0);
  } else if constexpr (!(AnyTile<B> || Literal<B>)) {
    (void)sizeof(diagnostics::other_operand<same<B, Dim>, diagnostics::show<A>, B>);
    return access::make<result>(access::trace(a), 0);
  } else {
    if constexpr (!check::ok) {
      report_elementwise<tile_a, tile_b>();
    } else if constexpr (!accepted<Operation, T>) {
      (void)sizeof(diagnostics::operation_and_element<false, Operation, diagnostics::show<result>>);
    }
    ast::recorder& trace = trace_of(a, b);
    const int left = use_as<T>(trace, a);
    return access::make<result>(trace,
                                add_rounded<Operation, Rounding>(trace, result::type, left, use_as<T>(trace, b)));
  }
}

// Pairs that the operators of the class Tile do not take.
template <class A, class B>
constexpr bool are_mixed() {
  if constexpr (AnyTile<A>) {
    return !(Literal<B> || __is_base_of(typename A::tile_type, B) || __is_base_of(Tile<typename A::element>, B));
  } else {
    return AnyTile<B>;
  }
}
template <class A, class B>
concept mixed = are_mixed<A, B>();

}  // namespace tilewright::lang
