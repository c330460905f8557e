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
  static_assert(Accepted, "this operation does not take this element type; write cast<T>(x) to another first");
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
  template <class Result>
  static constexpr Result make(ast::recorder& trace, int id) {
    return Result(&trace, id, trace.region());
  }
};

// An operand and the place where it is used: operators can have no default arguments, this one's constructor can.
template <class X>
struct at {
  const X& value;
  ast::source_place place;
  constexpr at(const X& tile, ast::source_place where = ast::source_place()) : value(tile), place(where) {}
};

// ---- Element rules of the op table
constexpr unsigned acceptance(dtype element) {
  if (element == dtype::boolean) return ast::accepts::boolean;
  if (element == dtype::index) return ast::accepts::index;
  return is_floating(element) ? ast::accepts::floating : ast::accepts::integer;
}
template <ast::op Operation, class T>
inline constexpr bool accepted = (ast::info(Operation).elements & acceptance(dtype_of<T>)) != 0;

template <ast::op Operation, class T>
using result_element = choose<ast::info(Operation).category == ast::op_category::comparison, bool, T>;

// ---- Operands that may be literals
template <class A, class... Rest>
constexpr ast::recorder& trace_of(const A& a, const Rest&... rest) {
  if constexpr (AnyTile<A>) {
    return access::trace(a);
  } else {
    return trace_of(rest...);
  }
}

// The id of an operand that is a tile of T, or a literal that becomes one.
template <class T, class X>
constexpr int use_as(ast::recorder& trace, const X& x) {
  if constexpr (AnyTile<X>) {
    return access::use(x);
  } else {
    return add_constant<T>(trace, literal_bits<T>(x));
  }
}

// ---- Recording
template <ast::op Operation, class A>
constexpr auto unary(const A& a) {
  if constexpr (!accepted<Operation, typename A::element>) {
    (void)sizeof(diagnostics::operation_and_element<false, Operation, diagnostics::show<A>>);
  }
  return access::make<typename A::tile_type>(access::trace(a),
                                             access::trace(a).add(Operation, A::type, 1, access::use(a)));
}

template <ast::op Operation, class A>
constexpr auto binary_with_literal(const A& a, long long bits, bool literal_is_first) {
  using T = typename A::element;
  using result = tile_of<result_element<Operation, T>, typename A::extents>;
  if constexpr (!accepted<Operation, T>) {
    (void)sizeof(diagnostics::operation_and_element<false, Operation, diagnostics::show<A>>);
  }
  ast::recorder& trace = access::trace(a);
  const int constant = add_constant<T>(trace, bits);
  const int tile = access::use(a);
  return access::make<result>(trace, literal_is_first ? trace.add(Operation, result::type, 2, constant, tile)
                                                      : trace.add(Operation, result::type, 2, tile, constant));
}

template <class A, class B>
struct elementwise_check {
  using shapes = join<typename A::extents, typename B::extents>;
  static constexpr bool types_agree = same<typename A::element, typename B::element>;
  static constexpr bool ok = types_agree && shapes::ok;
  using extents = typename shapes::type;
  using report = diagnostics::elementwise_operands<types_agree, shapes::ranks_agree, shapes::extents_agree,
                                                   diagnostics::show<A>, diagnostics::show<B>>;
};

template <ast::op Operation, class A, class B>
constexpr auto binary_of_tiles(const A& a, const B& b) {
  using T = typename A::element;
  using check = elementwise_check<typename A::tile_type, typename B::tile_type>;
  using result = tile_of<result_element<Operation, T>, typename check::extents>;
  if constexpr (!check::ok) {
    (void)sizeof(typename check::report);
  } else if constexpr (!accepted<Operation, T>) {
    (void)sizeof(diagnostics::operation_and_element<false, Operation, diagnostics::show<A>>);
  }
  ast::recorder& trace = access::trace(a);
  return access::make<result>(trace, trace.add(Operation, result::type, 2, access::use(a), access::use(b)));
}

template <ast::op Operation, class A, class B>
constexpr auto binary(const A& a, const B& b) {
  if constexpr (AnyTile<A> && AnyTile<B>) {
    return binary_of_tiles<Operation>(a, b);
  } else if constexpr (AnyTile<A> && Literal<B>) {
    return binary_with_literal<Operation>(a, literal_bits<typename A::element>(b), false);
  } else if constexpr (Literal<A> && AnyTile<B>) {
    return binary_with_literal<Operation>(b, literal_bits<typename B::element>(a), true);
  } else if constexpr (AnyTile<A>) {
    (void)sizeof(diagnostics::other_operand<same<B, Dim>, diagnostics::show<A>, B>);
    return binary_with_literal<Operation>(a, 0, false);
  } else {
    (void)sizeof(diagnostics::other_operand<same<A, Dim>, diagnostics::show<B>, A>);
    return binary_with_literal<Operation>(b, 0, true);
  }
}

}  // namespace tilewright::lang
