// SPDX-License-Identifier: Apache-2.0
// A tensor parameter cut into tiles, and how its tiles are named: one index for each axis, then pad(value) if lanes
// past the edge shall be real.
#pragma once

#include "tilewright/lang/tile.hpp"

namespace tilewright::diagnostics {

template <bool CountOk, bool TypesOk, class... Given>
struct tile_indices {
  static_assert(CountOk, "wrong number of tile indices: give one for each axis, then pad(value) if wanted");
  static_assert(TypesOk,
                "a tile index is an integer or an Index; write to_index(i) for an integer scalar and "
                "b.size(tile<D>) for the value of a Dim");
};
template <bool RankAgrees, class Element, int Rank, class Given>
struct tiles_of_tensor {
  static_assert(RankAgrees, "a tensor is cut with one tile extent for each of its axes");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

// The only way into the private parts of parameters and of Block.
struct parameter_access {
  template <class P>
  static constexpr P make(ast::recorder* trace, int position) {
    return P(trace, position);
  }
  template <class P>
  static constexpr ast::recorder& trace(const P& parameter) {
    return *parameter.trace_;
  }
  template <class P>
  static constexpr int position(const P& parameter) {
    return parameter.position_;
  }
};

template <class U>
struct pad_value {
  U value;
};

}  // namespace lang

// Gives the lanes of a load that lie past the tensor's edge this value, for every later operation but store.
template <Literal U>
constexpr lang::pad_value<U> pad(U value) {
  return {value};
}

namespace lang {

template <class X>
inline constexpr bool is_tile_index = is_integer_literal<X> || __is_base_of(Index, X);
template <class X>
inline constexpr bool is_pad = false;
template <class U>
inline constexpr bool is_pad<pad_value<U>> = true;

// A tile index: a literal that is not negative, or an Index.
struct tile_index {
  const Index* index = nullptr;
  long long number = 0;

  template <class U>
  requires is_integer_literal<U>
  constexpr tile_index(U literal) : number(static_cast<long long>(literal)) {}
  constexpr tile_index(const Index& value) : index(&value) {}

  constexpr int use(ast::recorder& trace) const {
    if (index != nullptr) return access::use(*index);
    if (number < 0) trace.break_rule(diagnostics::error_tile_index_is_negative, number);
    return add_constant<index_element>(trace, {number});
  }
};

// A pad value for a tile of T.
template <class T>
struct padding {
  stated_literal stated;
  template <class U, bool = literal_check<T, U>::ok>
  constexpr padding(pad_value<U> pad) : stated(state<T>(pad.value)) {}
};

// Whether arguments are `Rank` indices, then perhaps a pad.
template <int Rank, class... Given>
struct index_arguments {
  static constexpr int indices = (static_cast<int>(is_tile_index<Given>) + ... + 0);
  static constexpr int pads = (static_cast<int>(is_pad<Given>) + ... + 0);
  static constexpr int count = static_cast<int>(sizeof...(Given));
  static constexpr bool last_is_pad = (false, ..., is_pad<Given>);
  static constexpr bool count_ok = count - pads == Rank;
  static constexpr bool types_ok = indices + pads == count && (pads == 0 || (pads == 1 && last_is_pad));
  static constexpr bool ok = count_ok && types_ok;
};

// An axis that exists: the one asked for, or the first after a breach.
constexpr int checked_axis(ast::recorder& trace, int axis, int rank) {
  if (axis >= 0 && axis < rank) return axis;
  trace.break_rule(diagnostics::error_axis_is_out_of_range, axis);
  return 0;
}

}  // namespace lang

template <class T, class Axes, Dim... Extents>
class TileView;

// What In::partition gives.
template <class T, int... Axes, Dim... Extents>
class TileView<T, lang::sequence<Axes...>, Extents...> {
 public:
  constexpr TileView(ast::recorder* trace, int position) : trace_(trace), position_(position) {}

  // How many tiles lie along an axis, the last one perhaps overhanging.
  constexpr Index tiles(int axis, ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    axis = lang::checked_axis(*trace_, axis, sizeof...(Extents));
    const ast::dim_source* const dims[] = {&ast::dim_object<Extents>..., nullptr};
    return lang::access::make<Index>(
        *trace_, trace_->add(ast::op::tiles, Index::type, 0, position_, axis, trace_->extent(dims[axis])));
  }

  // The tile at a tile index.
  constexpr auto load(lang::repeat<lang::tile_index, Axes>... indices,
                      ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    const int ids[] = {indices.use(*trace_)..., 0};
    return made(trace_->add(ast::op::load, result::type, sizeof...(Axes), ids[Axes]..., position_, 0));
  }
  constexpr auto load(lang::repeat<lang::tile_index, Axes>... indices, lang::padding<T> pad,
                      ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    const int ids[] = {indices.use(*trace_)..., 0};
    const int value = lang::add_constant<T>(*trace_, pad.stated);
    return made(trace_->add(ast::op::load, result::type, sizeof...(Axes) + 1, ids[Axes]..., value, position_, 1));
  }
  template <class... Given>
  requires(!lang::index_arguments<sizeof...(Axes), Given...>::ok) constexpr auto load(const Given&...) const {
    using given = lang::index_arguments<sizeof...(Axes), Given...>;
    (void)sizeof(diagnostics::tile_indices<given::count_ok, given::types_ok, diagnostics::show<Given>...>);
    return made(0);
  }

 private:
  using result = Tile<T, Extents...>;
  constexpr result made(int id) const { return lang::access::make<result>(*trace_, id); }

  ast::recorder* trace_;
  int position_;
};

}  // namespace tilewright
