// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of several tiles together, by a combiner that the kernel's author writes:
//
//   auto [greatest, sum] = reduce<1>(values(x, ones), identity(-inf, 0.0f), [](auto left, auto right) {
//     auto [m, s] = left;
//     auto [n, t] = right;
//     auto top = max(m, n);
//     return values(top, s * exp(m - top) + t * exp(n - top));
//   });
#pragma once

#include "tilewright/lang/reduce.hpp"

namespace tilewright::diagnostics {

template <bool CountFits, bool AreTiles, class... Given>
struct tiles_of_values {
  static_assert(CountFits, "values(...) takes one to eight tiles");
  static_assert(AreTiles, "values(...) takes tiles; a number alone has no place in a kernel");
};
template <bool SameShape, bool OneIdentityEach, bool AreLiterals, class... Given>
struct combined_tiles {
  static_assert(SameShape, "tiles that are combined have one shape; broadcast(x, tile<...>) the others first");
  static_assert(OneIdentityEach, "identity(...) has one literal for each tile of values(...)");
  static_assert(AreLiterals, "identity(...) is made of literals: what changes nothing it is combined with");
};
template <bool TakesTwo, bool GivesItsTiles, class Given, class Wanted>
struct combiner_of_tiles {
  static_assert(TakesTwo, "a combiner takes two groups: [](auto left, auto right) { auto [a, b] = left; ... }");
  static_assert(GivesItsTiles,
                "a combiner gives values(...): for each tile it combines one of rank 0, of the same element");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

// A group of one to eight tiles, taken apart by `auto [a, b] = group;`.
template <class... Tiles>
struct Values;

// Calls use(a, b, ...) with the tiles.
#define TILEWRIGHT_GIVE_TO(...)                  \
  template <class Use>                           \
  constexpr auto give_to(const Use& use) const { \
    return use(__VA_ARGS__);                     \
  }
template <class A>
struct Values<A> {
  A first;
  TILEWRIGHT_GIVE_TO(first)
};
template <class A, class B>
struct Values<A, B> {
  A first;
  B second;
  TILEWRIGHT_GIVE_TO(first, second)
};
template <class A, class B, class C>
struct Values<A, B, C> {
  A first;
  B second;
  C third;
  TILEWRIGHT_GIVE_TO(first, second, third)
};
template <class A, class B, class C, class D>
struct Values<A, B, C, D> {
  A first;
  B second;
  C third;
  D fourth;
  TILEWRIGHT_GIVE_TO(first, second, third, fourth)
};
template <class A, class B, class C, class D, class E>
struct Values<A, B, C, D, E> {
  A first;
  B second;
  C third;
  D fourth;
  E fifth;
  TILEWRIGHT_GIVE_TO(first, second, third, fourth, fifth)
};
template <class A, class B, class C, class D, class E, class F>
struct Values<A, B, C, D, E, F> {
  A first;
  B second;
  C third;
  D fourth;
  E fifth;
  F sixth;
  TILEWRIGHT_GIVE_TO(first, second, third, fourth, fifth, sixth)
};
template <class A, class B, class C, class D, class E, class F, class G>
struct Values<A, B, C, D, E, F, G> {
  A first;
  B second;
  C third;
  D fourth;
  E fifth;
  F sixth;
  G seventh;
  TILEWRIGHT_GIVE_TO(first, second, third, fourth, fifth, sixth, seventh)
};
template <class A, class B, class C, class D, class E, class F, class G, class H>
struct Values<A, B, C, D, E, F, G, H> {
  A first;
  B second;
  C third;
  D fourth;
  E fifth;
  F sixth;
  G seventh;
  H eighth;
  TILEWRIGHT_GIVE_TO(first, second, third, fourth, fifth, sixth, seventh, eighth)
};
#undef TILEWRIGHT_GIVE_TO

template <class... Given>
constexpr auto values(const Given&... tiles) {
  constexpr bool count_fits = sizeof...(Given) >= 1 && sizeof...(Given) <= ast::most_combined_tiles,
                 are_tiles = (AnyTile<Given> && ... && true);
  if constexpr (count_fits && are_tiles) {
    return Values<typename Given::tile_type...>{tiles...};
  } else {
    (void)sizeof(diagnostics::tiles_of_values<count_fits, are_tiles, Given...>);
  }
}

namespace lang {

// The literals of identity(...).
template <class... Literals>
struct identities {
  template <class...>
  constexpr void state_as(stated_literal*) const {}
};
template <class First, class... Rest>
struct identities<First, Rest...> {
  First first;
  identities<Rest...> rest;
  template <class Element, class... Elements>
  constexpr void state_as(stated_literal* into) const {
    *into = state<Element>(first);
    rest.template state_as<Elements...>(into + 1);
  }
};
constexpr identities<> identities_of() { return {}; }
template <class First, class... Rest>
constexpr identities<First, Rest...> identities_of(First first, Rest... rest) {
  return {first, identities_of(rest...)};
}

template <class Shape, class... Tiles>
inline constexpr bool have_shape = (same<Shape, typename Tiles::extents> && ... && true);

template <ast::op Operation, int Axis, class Tile>
using combined_tile =
    choose<Operation == ast::op::scan_begin, Tile,
           tile_of<typename Tile::element, typename replace_extent<Axis, Dim(1), typename Tile::extents>::type>>;

template <class Combiner, class Elements>
concept TakesTwo = requires(const Combiner& combiner, const Elements& elements) {
  combiner(elements, elements);
};

template <class T>
const T& made_up();  // for decltype alone

template <class T>
constexpr Tile<T> left_element(ast::recorder& trace, stated_literal identity) {
  return access::make<Tile<T>>(trace, add_literal<T>(trace, ast::op::combiner_left, identity));
}
template <class T>
constexpr Tile<T> right_element(ast::recorder& trace) {
  return access::make<Tile<T>>(trace, trace.add(ast::op::combiner_right, Tile<T>::type, 0));
}
template <class Result>
constexpr Result combined(ast::recorder& trace) {
  return access::make<Result>(trace, trace.add(ast::op::combined, Result::type, 0));
}

template <class... T, class Combiner, int... At>
constexpr void record_combiner(ast::recorder& trace, const stated_literal* identity, const Combiner& combiner,
                               sequence<At...>) {
  using elements = Values<Tile<T>...>;
  const int first = trace.record_count;
  trace.enter();
  const elements left{left_element<T>(trace, identity[At])...}, right{right_element<T>(trace)...};
  const int outer = trace.set_combiner_from(first);
  const elements made = combiner(left, right);
  trace.set_combiner_from(outer);
  made.give_to(
      [&](const auto&... each) { trace.add(ast::op::combiner_end, nullptr, sizeof...(T), access::use(each)...); });
  trace.leave(false);
}

template <ast::op Operation, int Axis, int... More, class First, class... Rest, class... Literals, class Combiner>
constexpr auto combine_along(const Values<First, Rest...>& x, const identities<Literals...>& identity,
                             const Combiner& combiner, ast::source_place where) {
  using shape = typename First::extents;
  using elements = Values<Tile<typename First::element>, Tile<typename Rest::element>...>;
  constexpr bool axis_exists = Axis >= 0 && Axis < First::rank, same_shape = have_shape<shape, Rest...>,
                 one_each = sizeof...(Literals) == 1 + sizeof...(Rest), are_literals = (is_literal<Literals> && ...);
  if constexpr (!axis_exists) {
    (void)sizeof(diagnostics::axis_of_tile<false, Axis, diagnostics::show<First>>);
    return x;
  } else if constexpr (!(same_shape && one_each && are_literals)) {
    (void)sizeof(diagnostics::combined_tiles<same_shape, one_each, are_literals, diagnostics::show<First>,
                                             diagnostics::show<Rest>..., Literals...>);
    return x;
  } else if constexpr (!TakesTwo<Combiner, elements>) {
    (void)sizeof(diagnostics::combiner_of_tiles<false, true, Combiner, elements>);
    return x;
  } else {
    using given = decltype(combiner(made_up<elements>(), made_up<elements>()));
    if constexpr (!same<given, elements>) {
      (void)sizeof(diagnostics::combiner_of_tiles<true, false, given, elements>);
      return x;
    } else {
      ast::recorder& trace = access::trace(x.first);
      trace.at(where);
      x.give_to([&](const auto&... tile) {
        trace.add(Operation, nullptr, sizeof...(tile), access::use(tile)..., Axis, More...);
      });
      stated_literal stated[sizeof...(Literals)];
      identity.template state_as<typename First::element, typename Rest::element...>(stated);
      record_combiner<typename First::element, typename Rest::element...>(trace, stated, combiner,
                                                                          first_integers<sizeof...(Literals)>{});
      trace.at(where);
      return Values<combined_tile<Operation, Axis, First>, combined_tile<Operation, Axis, Rest>...>{
          combined<combined_tile<Operation, Axis, First>>(trace),
          combined<combined_tile<Operation, Axis, Rest>>(trace)...};
    }
  }
}

}  // namespace lang

// For each tile of values(...) a literal that changes nothing: combined with x on either side it gives x.
template <class... Literals>
constexpr auto identity(Literals... literals) {
  return lang::identities_of(literals...);
}

// The tiles of values(...) combined along an axis, which stays with extent 1. The combiner is associative and
// commutative, but for rounding: in which order, and how often with the identity, is left open. Element-wise operations
// alone make it, on tiles of rank 0; such tiles of the kernel may be used in it. A tile that overhangs is loaded with a
// pad, as for every reduction.
template <int Axis, class... Tiles, class... Literals, class Combiner>
constexpr auto reduce(const Values<Tiles...>& x, const lang::identities<Literals...>& identity,
                      const Combiner& combiner, ast::source_place where = ast::source_place()) {
  return lang::combine_along<ast::op::reduce_begin, Axis>(x, identity, combiner, where);
}

// Each place combined with all before it on the axis, or in reverse with all after it: left is what was met first. The
// combiner is associative, and need not be commutative.
template <int Axis, scan_order Order = scan_order::forward, class... Tiles, class... Literals, class Combiner>
constexpr auto scan(const Values<Tiles...>& x, const lang::identities<Literals...>& identity, const Combiner& combiner,
                    ast::source_place where = ast::source_place()) {
  return lang::combine_along < ast::op::scan_begin, Axis,
         Order == scan_order::reverse ? 1 : 0 > (x, identity, combiner, where);
}

}  // namespace tilewright
