// SPDX-License-Identifier: Apache-2.0
// Operations that move or rename axes and leave elements as they are.
#pragma once

#include "tilewright/lang/tile.hpp"

namespace tilewright::diagnostics {

template <bool EachAxisOnce, class A, int... Axes>
struct permutation {
  static_assert(EachAxisOnce, "permute<...> names each axis of the tile once");
};
template <bool IsMatrix, class A>
struct transposed {
  static_assert(IsMatrix, "transpose takes a tile of rank 2; for others write permute<...>(x)");
};
template <bool SameCount, class From, class To>
struct reshaped {
  static_assert(SameCount, "reshape changes the number of elements");
};
template <bool OnesOnly, class From, class To>
struct broadcasted {
  static_assert(OnesOnly, "broadcast repeats axes of extent 1 and tiles of rank 0 only");
};
template <bool RanksAgree, bool NumbersAgree, class From, class To>
struct renamed {
  static_assert(RanksAgree, "same_shape keeps the rank");
  static_assert(NumbersAgree, "same_shape: two different numbers can never be equal");
};
template <bool AxisExists, bool ElementsAgree, bool OthersAgree, bool ExtentIsSum, class A, class B>
struct concatenated {
  static_assert(AxisExists, "cat<Axis>: the tiles have no such axis, or different ranks");
  static_assert(ElementsAgree, "cat: the tiles have different element types; write cast<T>(x)");
  static_assert(OthersAgree, "cat: the tiles differ on another axis than the one that is joined");
  static_assert(ExtentIsSum, "cat: the stated extent is not the sum of the two");
};
template <bool PositionPerAxis, bool RanksAgree, bool Inside, class From, class To>
struct extracted {
  static_assert(PositionPerAxis, "extract<I...> takes one position for each axis, in units of the result's extent");
  static_assert(RanksAgree, "extract keeps the rank; write reshape(x, tile<...>) after it");
  static_assert(Inside, "extract: the piece does not lie inside the tile");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

template <Dim... Extents>
constexpr long long product_of_numbers(extent_list<Extents...>) {
  return ((Extents.is_constant() ? Extents.value : 1LL) * ... * 1LL);
}
template <Dim... Extents>
constexpr int occurrences([[maybe_unused]] Dim wanted, extent_list<Extents...>) {
  return ((wanted == Extents ? 1 : 0) + ... + 0);
}
// Whether some extent of A is a Dim that A has more often than B.
template <Dim... A, Dim... B>
constexpr bool has_other_dims([[maybe_unused]] extent_list<A...> a, [[maybe_unused]] extent_list<B...> b) {
  return ((!A.is_constant() && occurrences(A, a) > occurrences(A, b)) || ... || false);
}
// Extents that are products, one by one: (2 * BM, BN) is (2, BM, BN).
template <class Found, Dim... Left>
struct factor_list;
template <Dim... Found>
struct factor_list<extent_list<Found...>> {
  using type = extent_list<Found...>;
};
template <Dim... Found, Dim Next, Dim... Left>
struct factor_list<extent_list<Found...>, Next, Left...>
    : factor_list<extent_list<Found..., first_factor(Next)>, Left...> {};
template <Dim... Found, Dim Next, Dim... Left>
requires(!(first_factor(Next) == Next)) struct factor_list<extent_list<Found...>, Next, Left...>
    : factor_list<extent_list<Found..., first_factor(Next)>, Next / first_factor(Next), Left...> {
};
template <Dim... Extents>
using factors_of = typename factor_list<extent_list<>, Extents...>::type;

// Dims of both sides that the other lacks, as in (BN, BK) to (BN, BG, 32), are compared when the kernel is bound; with
// the same Dims on both sides the numbers must have one product. Dims on one side alone would have to be 1.
template <Dim... A, Dim... B>
constexpr bool same_factors(extent_list<A...> a, extent_list<B...> b) {
  if (has_other_dims(a, b) && has_other_dims(b, a)) return true;
  return !has_other_dims(a, b) && !has_other_dims(b, a) && product_of_numbers(a) == product_of_numbers(b);
}
template <Dim... A, Dim... B>
constexpr bool same_element_count(extent_list<A...>, extent_list<B...>) {
  return same_factors(factors_of<A...>{}, factors_of<B...>{});
}

template <int... Axes>
constexpr bool is_permutation(int rank) {
  unsigned seen = 0;
  ((seen |= Axes >= 0 && Axes < rank ? 1U << Axes : 0U), ...);
  return static_cast<int>(sizeof...(Axes)) == rank && seen == (1U << rank) - 1U;
}

template <ast::op Operation, class Result, class A, class... Attributes>
constexpr auto shape_operation(const A& x, ast::source_place where, Attributes... attributes) {
  ast::recorder& trace = access::trace(x);
  trace.at(where);
  return access::make<Result>(trace, trace.add(Operation, Result::type, 1, access::use(x), attributes...));
}

template <int Axis, class A, class B>
struct cat_rule {
  static constexpr bool axis_exists = Axis >= 0 && Axis < A::rank && A::rank == B::rank;
  static constexpr bool elements_agree = same<typename A::element, typename B::element>;
  static constexpr Dim extent_a = extent_at(typename A::extents{}, axis_exists ? Axis : 0);
  static constexpr Dim extent_b = extent_at(typename B::extents{}, axis_exists ? Axis : 0);
  static constexpr bool known = extent_a.is_constant() && extent_b.is_constant();
  static constexpr Dim sum = known ? Dim(extent_a.value + extent_b.value) : extent_a;
  using joined = typename replace_extent<Axis, sum, typename A::extents>::type;
  using other = typename replace_extent<Axis, sum, typename B::extents>::type;
  static constexpr bool others_agree = !axis_exists || same<joined, other>;
  static constexpr bool ok = axis_exists && elements_agree && others_agree;
  template <class Stated>
  static constexpr bool states_sum =
      !axis_exists || (same<typename replace_extent<Axis, sum, Stated>::type, joined> &&
                       (!known || !extent_at(Stated{}, Axis).is_constant() || extent_at(Stated{}, Axis) == sum));
};

constexpr bool piece_inside(Dim whole, Dim piece, int position) {
  if (position < 0) return false;
  if (whole == piece) return position == 0;
  if (!whole.is_constant() || !piece.is_constant()) return true;  // bind knows
  return (position + 1LL) * piece.value <= whole.value;
}

}  // namespace tilewright::lang

namespace tilewright {

// Axis i of the result is axis Axes[i] of x.
template <int... Axes, class T, Dim... Extents>
constexpr auto permute(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  if constexpr (!lang::is_permutation<Axes...>(sizeof...(Extents))) {
    (void)sizeof(diagnostics::permutation<false, diagnostics::show<Tile<T, Extents...>>, Axes...>);
    return lang::access::make<Tile<T, Extents...>>(lang::access::trace(x), 0);
  } else {
    using result = Tile<T, lang::extent_at(extent_list<Extents...>{}, Axes)...>;
    std::int32_t packed = 0;
    int shift = 0;
    ((packed |= Axes << shift, shift += 4), ...);
    return lang::shape_operation<ast::op::permute, result>(x, where, packed);
  }
}

template <class T, Dim... Extents>
constexpr auto transpose(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  if constexpr (sizeof...(Extents) != 2) {
    (void)sizeof(diagnostics::transposed<false, diagnostics::show<Tile<T, Extents...>>>);
    return lang::access::make<Tile<T, Extents...>>(lang::access::trace(x), 0);
  } else {
    return permute<1, 0>(x, where);
  }
}

// The same elements in row-major order under other extents.
template <class T, Dim... Extents, Dim... To>
constexpr auto reshape(const Tile<T, Extents...>& x, extent_list<To...> to,
                       ast::source_place where = ast::source_place()) {
  using result = Tile<T, To...>;
  if constexpr (!lang::same_element_count(extent_list<Extents...>{}, extent_list<To...>{})) {
    (void)sizeof(diagnostics::reshaped<false, diagnostics::show<Tile<T, Extents...>>, diagnostics::show<result>>);
  }
  (void)to;
  return lang::shape_operation<ast::op::reshape, result>(x, where);
}

// Repeats axes of extent 1; a scalar fills the whole tile.
template <class T, Dim... Extents, Dim... To>
constexpr auto broadcast(const Tile<T, Extents...>& x, extent_list<To...> to,
                         ast::source_place where = ast::source_place()) {
  using result = Tile<T, To...>;
  using joined = lang::join<extent_list<Extents...>, extent_list<To...>>;
  if constexpr (!(joined::ok && lang::same<typename joined::type, extent_list<To...>>)) {
    (void)sizeof(diagnostics::broadcasted<false, diagnostics::show<Tile<T, Extents...>>, diagnostics::show<result>>);
  }
  (void)to;
  return lang::shape_operation<ast::op::broadcast, result>(x, where);
}

// x under other Dim names: a promise that they are equal, checked when the kernel is bound.
template <class T, Dim... Extents, Dim... To>
constexpr auto same_shape(const Tile<T, Extents...>& x, extent_list<To...> to,
                          ast::source_place where = ast::source_place()) {
  using result = Tile<T, To...>;
  if constexpr (sizeof...(Extents) != sizeof...(To)) {
    (void)sizeof(diagnostics::renamed<false, true, diagnostics::show<Tile<T, Extents...>>, diagnostics::show<result>>);
  } else if constexpr (!((Extents == To || !Extents.is_constant() || !To.is_constant()) && ... && true)) {
    (void)sizeof(diagnostics::renamed<true, false, diagnostics::show<Tile<T, Extents...>>, diagnostics::show<result>>);
  }
  (void)to;
  return lang::shape_operation<ast::op::same_shape, result>(x, where);
}

// a and b joined along an axis; the form with tile<...> gives a sum of Dims another name, checked when the kernel is
// bound.
template <int Axis, class TA, Dim... A, class TB, Dim... B, Dim... To>
constexpr auto cat(const Tile<TA, A...>& a, const Tile<TB, B...>& b, extent_list<To...> to,
                   ast::source_place where = ast::source_place()) {
  using rule = lang::cat_rule<Axis, Tile<TA, A...>, Tile<TB, B...>>;
  using result = Tile<TA, To...>;
  constexpr bool is_sum = rule::template states_sum<extent_list<To...>>;
  if constexpr (!(rule::ok && is_sum)) {
    (void)sizeof(diagnostics::concatenated<rule::axis_exists, rule::elements_agree, rule::others_agree, is_sum,
                                           diagnostics::show<Tile<TA, A...>>, diagnostics::show<Tile<TB, B...>>>);
  }
  (void)to;
  ast::recorder& trace = lang::access::trace(a);
  trace.at(where);
  return lang::access::make<result>(
      trace, trace.add(ast::op::cat, result::type, 2, lang::access::use(a), lang::access::use(b), Axis));
}
template <int Axis, class TA, Dim... A, class TB, Dim... B>
constexpr auto cat(const Tile<TA, A...>& a, const Tile<TB, B...>& b, ast::source_place where = ast::source_place()) {
  using rule = lang::cat_rule<Axis, Tile<TA, A...>, Tile<TB, B...>>;
  if constexpr (!rule::ok) {
    (void)sizeof(diagnostics::concatenated<rule::axis_exists, rule::elements_agree, rule::others_agree, true,
                                           diagnostics::show<Tile<TA, A...>>, diagnostics::show<Tile<TB, B...>>>);
    return lang::access::make<Tile<TA, A...>>(lang::access::trace(a), 0);
  } else {
    constexpr Dim sum = rule::extent_a + rule::extent_b;
    return cat<Axis>(a, b, typename lang::replace_extent<Axis, sum, extent_list<A...>>::type{}, where);
  }
}

// The piece of x at a constant position, counted in pieces on each axis.
template <int... Position, class T, Dim... Extents, Dim... To>
constexpr auto extract(const Tile<T, Extents...>& x, extent_list<To...> to,
                       ast::source_place where = ast::source_place()) {
  using result = Tile<T, To...>;
  constexpr bool per_axis = sizeof...(Position) == sizeof...(To), ranks = sizeof...(Extents) == sizeof...(To);
  if constexpr (!(per_axis && ranks)) {
    (void)sizeof(diagnostics::extracted<per_axis, ranks, true, diagnostics::show<Tile<T, Extents...>>,
                                        diagnostics::show<result>>);
    return lang::access::make<result>(lang::access::trace(x), 0);
  } else {
    if constexpr (!(lang::piece_inside(Extents, To, Position) && ... && true)) {
      (void)sizeof(
          diagnostics::extracted<true, true, false, diagnostics::show<Tile<T, Extents...>>, diagnostics::show<result>>);
    }
    (void)to;
    const int positions[max_rank + 1] = {Position...};
    return lang::shape_operation<ast::op::extract, result>(x, where, positions[0], positions[1], positions[2],
                                                           positions[3], positions[4], positions[5]);
  }
}

}  // namespace tilewright
