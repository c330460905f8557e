// SPDX-License-Identifier: Apache-2.0
// Elements of a tile in other places along one axis: flip, roll and pad. Element i of a result comes from position
// Count - 1 - i or i - Shift, whose bits follow from those of i, the lowest first: so one exchange of neighbours
// Stride apart for each bit is enough.
#pragma once

#include "tilewright/lang/sort.hpp"

namespace tilewright::diagnostics {

template <bool AxisExists, bool PowerOfTwo, class A>
struct flipped_tile {
  static_assert(AxisExists, "flip<Axis>: the tile has no such axis");
  static_assert(PowerOfTwo, "flip<Axis>: the extent of the axis is a number that is a power of two");
};
template <bool AxisExists, bool PowerOfTwo, class A>
struct rolled_tile {
  static_assert(AxisExists, "roll<Axis, Shift>: the tile has no such axis");
  static_assert(PowerOfTwo, "roll<Axis, Shift>: the extent of the axis is a number that is a power of two");
};
template <bool AxisExists, bool PowersOfTwo, bool ValueFits, class A, class Value>
struct padded_tile {
  static_assert(AxisExists, "pad<Axis, Before, After>: the tile has no such axis");
  static_assert(PowersOfTwo,
                "pad<Axis, Before, After>: the extent of the axis and Before + extent + After are powers of two, and "
                "none of Before and After is negative");
  static_assert(ValueFits, "pad<Axis, Before, After>(x, value): the value is a literal, or a scalar of x's element");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

template <int Axis, class A>
struct rearranged_axis {
  static constexpr bool exists = Axis >= 0 && Axis < A::rank;
  static constexpr Dim extent = extent_at(typename A::extents{}, exists ? Axis : 0);
  static constexpr bool power = !exists || (extent.is_constant() && is_power_of_two(extent.value));
  static constexpr bool ok = exists && power;
  static constexpr int count = power ? extent.value : 1;
};

// Where element i comes from. The bit `stride` of that position is other than i's where `turns`, and the other way
// round where the bits of i below it are less than `bound`.
struct flipped_place {
  static constexpr int source(int at, int count) { return count - 1 - at; }
  static constexpr bool turns(int) { return true; }
  static constexpr int bound(int) { return 0; }
};
// From i - Shift, Shift being from 0 to Count - 1: the bits below borrow where they are less than Shift's.
template <int Shift>
struct rolled_place {
  static constexpr int source(int at, int count) { return (at + count - Shift) % count; }
  static constexpr bool turns(int stride) { return (Shift & stride) != 0; }
  static constexpr int bound(int stride) { return Shift & (stride - 1); }
};

// Exchanges neighbours for the bit Stride of the axis, and for those above it.
template <class Place, int Axis, int Stride, class X>
constexpr auto moved_from_bit(const X& x) {
  constexpr int count = extent_at(typename X::extents{}, Axis).value, bound = Place::bound(Stride);
  constexpr bool turns = Place::turns(Stride);
  if constexpr (Stride >= count) {
    return X(x);
  } else if constexpr (bound == 0 && !turns) {
    return moved_from_bit<Place, Axis, 2 * Stride>(x);
  } else {
    using bit = exchange<Axis, count, Stride, typename X::extents>;
    auto low = bit::template half<0>(x);
    auto high = bit::template half<1>(x);
    if constexpr (bound == 0) {
      auto turned = reshape(cat<Axis + 1>(high, low), typename X::extents{});
      return moved_from_bit<Place, Axis, 2 * Stride>(turned);
    } else {
      auto borrows = counting<Axis + 2, Stride>(access::trace(x), typename bit::axes{}) < bound;
      auto moved = turns ? bit::joined(borrows, high, low) : bit::joined(borrows, low, high);
      return moved_from_bit<Place, Axis, 2 * Stride>(moved);
    }
  }
}

// Elements First .. First + Count - 1 of the result, one by one: for tiles that leave no axes to split one.
template <class Place, int Axis, int First, int Count, class X>
constexpr auto moved_one_by_one(const X& x) {
  if constexpr (Count == 1) {
    constexpr int from = Place::source(First, extent_at(typename X::extents{}, Axis).value);
    return piece_of<Axis, 1, from>(x, first_integers<X::rank>{});
  } else {
    auto first = moved_one_by_one<Place, Axis, First, Count / 2>(x);
    auto second = moved_one_by_one<Place, Axis, First + Count / 2, Count / 2>(x);
    return cat<Axis>(first, second);
  }
}

template <class Place, int Axis, class X>
constexpr auto moved(const X& x) {
  if constexpr (X::rank <= max_rank - 2) {
    return moved_from_bit<Place, Axis, 1>(x);
  } else {
    return moved_one_by_one<Place, Axis, 0, extent_at(typename X::extents{}, Axis).value>(x);
  }
}

template <int Axis, int Shift, class X>
constexpr auto rolled(const X& x) {
  constexpr int count = extent_at(typename X::extents{}, Axis).value;
  constexpr int shift = (Shift % count + count) % count;
  return moved<rolled_place<shift>, Axis>(x);
}

// x, then `value` up to Count elements.
template <int Axis, int Count, class X, class Value>
constexpr auto filled_up(const X& x, const Value& value) {
  if constexpr (extent_at(typename X::extents{}, Axis).value == Count) {
    return X(x);
  } else {
    return filled_up<Axis, Count>(cat<Axis>(x, broadcast(value, typename X::extents{})), value);
  }
}

template <class A, class Value>
inline constexpr bool is_fill = is_literal<Value>;
template <class A, AnyTile Value>
inline constexpr bool is_fill<A, Value> = Value::rank == 0 && same<typename Value::element, typename A::element>;

}  // namespace tilewright::lang

namespace tilewright {

// x with the axis from its end to its start.
template <int Axis, class T, Dim... Extents>
constexpr auto flip(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  using given = Tile<T, Extents...>;
  using axis = lang::rearranged_axis<Axis, given>;
  if constexpr (!axis::ok) {
    (void)sizeof(diagnostics::flipped_tile<axis::exists, axis::power, diagnostics::show<given>>);
    return lang::access::make<given>(lang::access::trace(x), 0);
  } else {
    const ast::pinned_place pin(lang::access::trace(x), where);
    return lang::moved<lang::flipped_place, Axis>(x);
  }
}

// Element i of x at i + Shift along the axis, in a circle; Shift has either sign and any size.
template <int Axis, int Shift, class T, Dim... Extents>
constexpr auto roll(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  using given = Tile<T, Extents...>;
  using axis = lang::rearranged_axis<Axis, given>;
  if constexpr (!axis::ok) {
    (void)sizeof(diagnostics::rolled_tile<axis::exists, axis::power, diagnostics::show<given>>);
    return lang::access::make<given>(lang::access::trace(x), 0);
  } else {
    const ast::pinned_place pin(lang::access::trace(x), where);
    return lang::rolled<Axis, Shift>(x);
  }
}

// Before elements of `value`, x, and After more along the axis. As tiles grow by doubling, both extents are powers of
// two.
template <int Axis, int Before, int After, class Value, class T, Dim... Extents>
constexpr auto pad(const Tile<T, Extents...>& x, const Value& value, ast::source_place where = ast::source_place()) {
  using given = Tile<T, Extents...>;
  using axis = lang::rearranged_axis<Axis, given>;
  constexpr bool powers =
      axis::power &&
      (!axis::exists || (Before >= 0 && After >= 0 && lang::is_power_of_two(axis::count + Before + After)));
  constexpr bool fits = lang::is_fill<given, Value>;
  if constexpr (!(axis::exists && powers && fits)) {
    (void)sizeof(
        diagnostics::padded_tile<axis::exists, powers, fits, diagnostics::show<given>, diagnostics::show<Value>>);
    return lang::access::make<given>(lang::access::trace(x), 0);
  } else {
    ast::recorder& trace = lang::access::trace(x);
    const ast::pinned_place pin(trace, where);
    auto fill = lang::access::make<Tile<T>>(trace, lang::use_as<T>(trace, value));
    return lang::rolled<Axis, Before>(lang::filled_up<Axis, axis::count + Before + After>(x, fill));
  }
}

}  // namespace tilewright
