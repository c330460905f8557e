// SPDX-License-Identifier: Apache-2.0
// The algebra of extents: which shapes join, and what the joined one is. Dims compare by name, expressions of Dims by
// their canonical text; two that differ may still be equal numbers at a launch, which is what same_shape is for.
#pragma once

#include "tilewright/lang/diagnostics.hpp"
#include "tilewright/lang/sequence.hpp"

namespace tilewright {

template <class T, Dim... Extents>
class Tile;

}  // namespace tilewright

namespace tilewright::lang {

// ---- Joining: extents are equal or one of them is 1; rank 0 joins with all.
constexpr bool joins(Dim a, Dim b) { return a == b || a.is_one() || b.is_one(); }
constexpr Dim joined(Dim a, Dim b) { return a.is_one() ? b : a; }

template <class A, class B>
struct join {
  static constexpr bool ranks_agree = false, extents_agree = true, ok = false;
  using type = A;
};
template <Dim... A, Dim... B>
requires(sizeof...(A) == sizeof...(B)) struct join<extent_list<A...>, extent_list<B...>> {
  static constexpr bool ranks_agree = true, extents_agree = (joins(A, B) && ...), ok = extents_agree;
  using type = extent_list<joined(A, B)...>;
};
template <Dim... A>
requires(sizeof...(A) > 0) struct join<extent_list<A...>, extent_list<>> {
  static constexpr bool ranks_agree = true, extents_agree = true, ok = true;
  using type = extent_list<A...>;
};
template <Dim... B>
requires(sizeof...(B) > 0) struct join<extent_list<>, extent_list<B...>> {
  static constexpr bool ranks_agree = true, extents_agree = true, ok = true;
  using type = extent_list<B...>;
};

// ---- Picking and replacing one extent
template <Dim... Extents>
constexpr Dim extent_at(extent_list<Extents...>, int axis) {
  const Dim all[] = {Extents..., Dim(0)};
  return all[axis];
}

template <int Axis, Dim Replacement, class Axes, Dim... Extents>
struct replaced_extents;
template <int Axis, Dim Replacement, int... Axes, Dim... Extents>
struct replaced_extents<Axis, Replacement, sequence<Axes...>, Extents...> {
  using type = extent_list<(Axes == Axis ? Replacement : Extents)...>;
};
template <int Axis, Dim Replacement, class List>
struct replace_extent;
template <int Axis, Dim Replacement, Dim... Extents>
struct replace_extent<Axis, Replacement, extent_list<Extents...>>
    : replaced_extents<Axis, Replacement, first_integers<sizeof...(Extents)>, Extents...> {};

template <class T, class List>
struct tile_with;
template <class T, Dim... Extents>
struct tile_with<T, extent_list<Extents...>> {
  using type = Tile<T, Extents...>;
};
template <class T, class List>
using tile_of = typename tile_with<T, List>::type;

// Of an expression that is a product its first factor, else the Dim itself.
constexpr Dim first_factor(const Dim& dim) {
  if (!dim.is_expression()) return dim;
  const dim_expressions::dim_sum sum = dim_expressions::to_sum(dim);
  if (sum.count != 1) return dim;
  const dim_expressions::dim_term& term = sum.terms[0];
  if (term.number != static_cast<int>(term.number) || term.number < 1) return dim;
  if (term.number != 1) return Dim(static_cast<int>(term.number));
  dim_expressions::dim_sum factor;
  dim_expressions::dim_text first;
  dim_expressions::factor_cursor{term.product}.move_to(first);
  factor.add(1, first);
  return dim_expressions::to_dim(factor);
}

constexpr bool is_tile_extent(Dim extent) { return extent.is_symbol() || (extent.is_constant() && extent.value >= 1); }

}  // namespace tilewright::lang

namespace tilewright::diagnostics {

constexpr int length(const char* text) {
  int count = 0;
  while (text[count] != 0) ++count;
  return count;
}

template <Dim D, class Letters>
struct shown_name;
template <Dim D, int... I>
struct shown_name<D, lang::sequence<I...>> {
  using type = dim<D.name[I]...>;
};
template <Dim D>
struct shown_extent : shown_name<D, lang::first_integers<length(D.name)>> {};
template <Dim D>
requires(D.is_constant()) struct shown_extent<D> {
  using type = extent<D.value>;
};
template <Dim D>
requires(D.is_dynamic()) struct shown_extent<D> {
  using type = any_extent;
};

template <class T, Dim... Extents>
struct shown<Tile<T, Extents...>> {
  using type = tile<T, typename shown_extent<Extents>::type...>;
};
template <class T>
using show = typename shown<T>::type;

}  // namespace tilewright::diagnostics
