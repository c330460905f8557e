// SPDX-License-Identifier: Apache-2.0
// Sorting along an axis of a tile, as the bitonic network of K. E. Batcher (1968: Sorting networks and their
// applications): which elements are compared does not depend on the data, so every back end does the same.
#pragma once

#include "tilewright/lang/function_parts.hpp"

namespace tilewright {

enum class sort_order { ascending, descending };

// The elements of a tile in order, and where each stood on the axis, as i32.
template <class Values, class Positions>
struct Sorted {
  Values values;
  Positions positions;
};
template <class Values, class Positions>
Sorted(Values, Positions) -> Sorted<Values, Positions>;

}  // namespace tilewright

namespace tilewright::diagnostics {

template <bool Numbers, bool AxisExists, bool RankFits, bool PowerOfTwo, class A>
struct sorted_tile {
  static_assert(Numbers, "sort takes integers, f16, bf16, f32 or f64");
  static_assert(AxisExists, "sort<Axis>: the tile has no such axis");
  static_assert(RankFits, "sort takes tiles of rank 4 at most; reshape the tile first");
  static_assert(PowerOfTwo, "sort<Axis>: the extent of the axis is a number that is a power of two");
};
template <bool CountFits, class A>
struct top_count {
  static_assert(CountFits, "top_k<Axis, K>: K is a power of two, at most the extent of the axis");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

template <int Axis, class A>
struct sort_rule {
  static constexpr dtype element = dtype_of<typename A::element>;
  static constexpr bool numbers = element != dtype::boolean && element != dtype::index && !is_only_factor(element);
  static constexpr bool axis_exists = Axis >= 0 && Axis < A::rank;
  static constexpr bool rank_fits = A::rank <= max_rank - 2;
  static constexpr Dim extent = extent_at(typename A::extents{}, axis_exists ? Axis : 0);
  static constexpr bool power = !axis_exists || (extent.is_constant() && is_power_of_two(extent.value));
  static constexpr bool ok = numbers && axis_exists && rank_fits && power;
};

// The extents E with those of Axis as Blocks, 2, Stride.
template <int Axis, int Blocks, int Stride, Dim... E>
constexpr Dim split_extent(int at) {
  if (at == Axis) return Blocks;
  if (at == Axis + 1) return 2;
  if (at == Axis + 2) return Stride;
  return extent_at(extent_list<E...>{}, at < Axis ? at : at - 2);
}
template <int Axis, int Blocks, int Stride, Dim... E, int... At>
constexpr auto split_extents(extent_list<E...>, sequence<At...>) {
  return extent_list<split_extent<Axis, Blocks, Stride, E...>(At)...>{};
}
// The piece of x with extent Count on Axis, at a position in such pieces.
template <int Axis, int Count, int Position, class A, int... At>
constexpr auto piece_of(const A& x, sequence<At...>) {
  using piece = typename replace_extent<Axis, Dim(Count), typename A::extents>::type;
  return extract<(At == Axis ? Position : 0)...>(x, piece{});
}

// 0, 1, 2, ... along Axis, with extents of 1 on the others.
template <int Axis, int Count, int... At>
constexpr auto counting(ast::recorder& trace, sequence<At...>) {
  using numbers = Tile<i32, Dim(At == Axis ? Count : 1)...>;
  return access::make<numbers>(trace, trace.add(ast::op::iota, numbers::type, 0, Axis));
}

template <class T>
struct sortable {
  static constexpr int bits = info(dtype_of<T>).bits;
  using word = choose<bits == 64, i64, choose<bits == 32, i32, choose<bits == 16, i16, i8>>>;
  static constexpr word greatest = static_cast<word>(~(word{1} << (bits - 1)));
};
// Integers in the order of the floats: -0 below +0, every NaN above inf. Twice gives the floats again.
template <class Word, Dim... E>
constexpr auto ordered_bits(const Tile<Word, E...>& bits, Word greatest, int width) {
  auto sign = bits >> (width - 1);
  return bits ^ (sign & greatest);
}
template <class T, Dim... E>
constexpr auto to_sortable(const Tile<T, E...>& x) {
  if constexpr (!is_floating(dtype_of<T>)) {
    return Tile<T, E...>(x);
  } else {
    using as = sortable<T>;
    auto is_number = x == x;
    auto ordered = ordered_bits(bitcast<typename as::word>(x), as::greatest, as::bits);
    return select(is_number, ordered, as::greatest);
  }
}
template <class T, class Word, Dim... E>
constexpr auto from_sortable(const Tile<Word, E...>& x) {
  if constexpr (!is_floating(dtype_of<T>)) {
    return Tile<T, E...>(x);
  } else {
    return bitcast<T>(ordered_bits(x, sortable<T>::greatest, sortable<T>::bits));
  }
}

struct no_positions {};

// Whether a comes before b; equal elements keep their places where these are known.
template <sort_order Order, class K>
constexpr auto precedes(const K& a, const K& b) {
  if constexpr (Order == sort_order::ascending) {
    return a < b;
  } else {
    return b < a;
  }
}
template <sort_order Order, class K>
constexpr auto precedes(const K& a, no_positions, const K& b, no_positions) {
  return precedes<Order>(a, b);
}
template <sort_order Order, class K, class P>
constexpr auto precedes(const K& a, const P& place_a, const K& b, const P& place_b) {
  auto is_first = precedes<Order>(a, b);
  auto is_equal = a == b;
  auto is_earlier = place_a < place_b;
  return is_first | (is_equal & is_earlier);
}

// One round of the network: of elements Stride apart the one that comes first goes to the lower place, in runs of Size
// elements that lie one up, one down. The last run, of all elements, lies up.
template <int Axis, int Size, int Stride, class Extents>
struct exchange {
  static constexpr int count = extent_at(Extents{}, Axis).value, blocks = count / (2 * Stride);
  static constexpr int rank = Extents::rank + 2;
  using axes = first_integers<rank>;
  using split = decltype(split_extents<Axis, blocks, Stride>(Extents{}, axes{}));

  template <int Half, class X>
  static constexpr auto half(const X& x) {
    if constexpr (same<X, no_positions>) {
      return x;
    } else {
      return piece_of<Axis + 1, 1, Half>(reshape(x, split{}), axes{});
    }
  }
  template <class Swap, class X>
  static constexpr auto joined(const Swap& is_swapped, const X& low, const X& high) {
    if constexpr (same<X, no_positions>) {
      return low;
    } else {
      auto first = select(is_swapped, high, low);
      auto second = select(is_swapped, low, high);
      return reshape(cat<Axis + 1>(first, second), Extents{});
    }
  }
  template <class Wrong>
  static constexpr auto swapped(const Wrong& is_wrong) {
    if constexpr (Size == count) {
      return Wrong(is_wrong);
    } else {
      auto block = counting<Axis, blocks>(access::trace(is_wrong), axes{});
      auto is_up = (block & (Size / (2 * Stride))) == 0;
      return is_wrong == is_up;
    }
  }
  template <sort_order Order, class Values, class Positions>
  static constexpr auto round(const Sorted<Values, Positions>& x) {
    auto low = half<0>(x.values);
    auto high = half<1>(x.values);
    auto low_place = half<0>(x.positions);
    auto high_place = half<1>(x.positions);
    auto is_swapped = swapped(precedes<Order>(high, high_place, low, low_place));
    return Sorted{joined(is_swapped, low, high), joined(is_swapped, low_place, high_place)};
  }
};

template <int Axis, sort_order Order, int Size, int Stride, class X>
constexpr auto sorted_from(const X& x) {
  using extents = typename decltype(X::values)::extents;
  constexpr int count = extent_at(extents{}, Axis).value;
  if constexpr (Size > count) {
    return X(x);
  } else {
    auto next = exchange<Axis, Size, Stride, extents>::template round<Order>(x);
    if constexpr (Stride > 1) {
      return sorted_from<Axis, Order, Size, Stride / 2>(next);
    } else {
      return sorted_from<Axis, Order, 2 * Size, Size>(next);
    }
  }
}

template <int Axis, class A>
constexpr bool require_sortable() {
  using rule = sort_rule<Axis, A>;
  if constexpr (!rule::ok) {
    (void)sizeof(
        diagnostics::sorted_tile<rule::numbers, rule::axis_exists, rule::rank_fits, rule::power, diagnostics::show<A>>);
  }
  return rule::ok;
}

}  // namespace tilewright::lang

namespace tilewright {

// x in order along the axis: -0 before +0 and NaN as greater than inf, as in minimum and maximum. A NaN comes out as
// some NaN, all else bit by bit.
template <int Axis, sort_order Order = sort_order::ascending, class T, Dim... Extents>
constexpr auto sort(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  using given = Tile<T, Extents...>;
  if constexpr (!lang::require_sortable<Axis, given>()) {
    return lang::access::make<given>(lang::access::trace(x), 0);
  } else {
    const ast::pinned_place pin(lang::access::trace(x), where);
    auto keys = Sorted{lang::to_sortable(x), lang::no_positions{}};
    auto made = lang::sorted_from<Axis, Order, 2, 1>(keys);
    return lang::from_sortable<T>(made.values);
  }
}

// The same with the position that each element had; equal elements, NaN among them, keep their order.
template <int Axis, sort_order Order = sort_order::ascending, class T, Dim... Extents>
constexpr auto sort_with_positions(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  using given = Tile<T, Extents...>;
  if constexpr (!lang::require_sortable<Axis, given>()) {
    return Sorted{lang::access::make<given>(lang::access::trace(x), 0),
                  lang::access::make<Tile<i32, Extents...>>(lang::access::trace(x), 0)};
  } else {
    ast::recorder& trace = lang::access::trace(x);
    const ast::pinned_place pin(trace, where);
    constexpr int count = lang::extent_at(extent_list<Extents...>{}, Axis).value;
    using axes = lang::first_integers<given::rank>;
    auto keys =
        Sorted{lang::to_sortable(x), broadcast(lang::counting<Axis, count>(trace, axes{}), extent_list<Extents...>{})};
    auto made = lang::sorted_from<Axis, Order, 2, 1>(keys);
    return Sorted{lang::from_sortable<T>(made.values), made.positions};
  }
}

// The K greatest elements along the axis, the greatest first, with their positions; of equal ones the first, as argmax
// takes it. NaN is greatest.
template <int Axis, int K, class T, Dim... Extents>
constexpr auto top_k(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  using given = Tile<T, Extents...>;
  if constexpr (!lang::sort_rule<Axis, given>::ok) {
    return sort_with_positions<Axis>(x, where);  // says so
  } else {
    constexpr int count = lang::extent_at(extent_list<Extents...>{}, Axis).value;
    if constexpr (!(lang::is_power_of_two(K) && K <= count)) {
      (void)sizeof(diagnostics::top_count<false, diagnostics::show<given>>);
      return sort_with_positions<Axis>(x, where);
    } else {
      using axes = lang::first_integers<given::rank>;
      const ast::pinned_place pin(lang::access::trace(x), where);
      auto made = sort_with_positions<Axis, sort_order::descending>(x, where);
      return Sorted{lang::piece_of<Axis, K, 0>(made.values, axes{}),
                    lang::piece_of<Axis, K, 0>(made.positions, axes{})};
    }
  }
}

}  // namespace tilewright
