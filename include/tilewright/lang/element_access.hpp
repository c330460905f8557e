// SPDX-License-Identifier: Apache-2.0
// How single elements of a tensor are named: an index for each axis, each of them a tile, then where(mask) if some
// lanes shall touch nothing. All of these have one shape, or repeat to it.
#pragma once

#include "tilewright/lang/views.hpp"

namespace tilewright::diagnostics {

template <bool CountOk, bool IndicesOk, bool MaskOk, bool ShapesOk, class... Given>
struct element_indices {
  static_assert(CountOk, "wrong number of element indices: give one for each axis, then where(mask) if wanted");
  static_assert(IndicesOk, "an element index is a tile of integers or of Index values, or an integer");
  static_assert(MaskOk, "where(mask) takes a bool tile, such as a comparison gives, and stands behind the indices");
  static_assert(ShapesOk,
                "indices, mask and tile go together lane by lane: their ranks are equal or 0, and on each axis the "
                "extents are equal or one of them 1");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

// A pointer, as a copy of a tile would be one more variable.
template <class M>
struct lane_mask {
  const M* mask;
};

// In place of an argument that is not given.
struct no_index {};

// What one argument is: an index, a mask, or neither.
template <class X>
struct element_argument {
  static constexpr bool is_given = true, is_index = is_integer_literal<X>, is_mask = false, is_bool = false;
  using extents = extent_list<>;
  static constexpr int use(ast::recorder& trace, const X& literal) {
    if constexpr (is_index) {
      const auto number = static_cast<long long>(literal);
      if (number < 0) trace.break_rule(diagnostics::error_element_index_is_negative, number);
      return add_constant<index_element>(trace, {number});
    }
    return 0;
  }
};
template <>
struct element_argument<no_index> {
  static constexpr bool is_given = false, is_index = false, is_mask = false, is_bool = false;
  using extents = extent_list<>;
  static constexpr int use(ast::recorder&, const no_index&) { return 0; }
};
template <AnyTile X>
struct element_argument<X> {
  using element = typename X::element;
  static constexpr bool is_given = true, is_index = same<element, index_element> || is_integer(dtype_of<element>);
  static constexpr bool is_mask = false, is_bool = false;
  using extents = typename X::extents;
  static constexpr int use(ast::recorder&, const X& tile) { return access::use(tile); }
};
template <class M>
struct element_argument<lane_mask<M>> {
  static constexpr bool is_given = true, is_index = false, is_mask = true, is_bool = false;
  using extents = extent_list<>;
  static constexpr int use(ast::recorder&, const lane_mask<M>&) { return 0; }
};
template <AnyTile M>
struct element_argument<lane_mask<M>> {
  static constexpr bool is_given = true, is_index = false, is_mask = true;
  static constexpr bool is_bool = same<typename M::element, bool>;
  using extents = typename M::extents;
  static constexpr int use(ast::recorder&, const lane_mask<M>& lanes) { return access::use(*lanes.mask); }
};

template <class Joined, class... Rest>
struct join_all {
  static constexpr bool ok = true;
  using type = Joined;
};
template <class Joined, class Next, class... Rest>
struct join_all<Joined, Next, Rest...> {
  using here = join<Joined, Next>;
  using rest = join_all<typename here::type, Rest...>;
  static constexpr bool ok = here::ok && rest::ok;
  using type = typename rest::type;
};

// Arguments that choose elements of a tensor of this rank, in lanes that `First` already has. What is not given comes
// last.
template <class... Given>
constexpr int place_of_mask() {
  int place = -1, next = 0;
  ((place = element_argument<Given>::is_mask ? next : place, ++next), ...);
  return place;
}
template <int Rank, class First, class... Given>
struct element_choice {
  static constexpr int count = (static_cast<int>(element_argument<Given>::is_given) + ... + 0);
  static constexpr int masks = (static_cast<int>(element_argument<Given>::is_mask) + ... + 0);
  static constexpr int indices = (static_cast<int>(element_argument<Given>::is_index) + ... + 0);
  static constexpr bool has_bool = (element_argument<Given>::is_bool || ... || false);
  using shapes = join_all<First, typename element_argument<Given>::extents...>;

  static constexpr bool count_ok = count - masks == Rank && Rank > 0;
  static constexpr bool indices_ok = !count_ok || indices == Rank;
  static constexpr bool mask_ok =
      !(count_ok && indices_ok) || masks == 0 || (masks == 1 && has_bool && place_of_mask<Given...>() == count - 1);
  static constexpr bool shapes_ok = !(count_ok && indices_ok && mask_ok) || shapes::ok;
  static constexpr bool ok = count_ok && indices_ok && mask_ok && shapes_ok;
  using extents = typename shapes::type;
};

template <class Choice, class... Given>
constexpr auto report_elements() {
  (void)sizeof(diagnostics::element_indices<Choice::count_ok, Choice::indices_ok, Choice::mask_ok, Choice::shapes_ok,
                                            diagnostics::show<Given>...>);
}

// Appends a record whose operands are these ids, which were made before.
template <ast::op Operation, class Type, int... Operands>
constexpr int add_access(ast::recorder& trace, Type type, const int* ids, sequence<Operands...>, int parameter,
                         bool is_masked) {
  return trace.add(Operation, type, sizeof...(Operands), ids[Operands]..., parameter, is_masked ? 1 : 0);
}

}  // namespace lang

// Lanes in which the mask is false touch no memory: a gather gives 0 there, a combine_at combines nothing. Their
// indices may be anything.
template <class M>
constexpr lang::lane_mask<M> where(const M& mask) {
  return {&mask};
}

}  // namespace tilewright
