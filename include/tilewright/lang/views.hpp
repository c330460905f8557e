// SPDX-License-Identifier: Apache-2.0
// A tensor parameter cut into tiles, or into windows that begin at steps of their own, and how its tiles are named: one
// index for each axis, then pad(value) if lanes past the edge shall be real.
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
template <bool RankAgrees, bool StridesAgree, bool StridesOk, class Element, int Rank, class Given>
struct windows_of_tensor {
  static_assert(RankAgrees, "windows have one extent for each axis of the tensor");
  static_assert(StridesAgree, "windows have one stride for each axis of the tensor");
  static_assert(StridesOk, "a stride of windows is a positive number or a Dim");
};
template <bool IsRead, class Output>
struct windows_of_output {
  static_assert(IsRead,
                "overlapping windows refused: what blocks write never overlaps, so an output has pieces alone; windows "
                "are read, from an In");
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

// From the first element of a tile to that of the next, on each axis. Of a partition they are the tile's extents.
template <Dim... Strides>
struct stride_list {
  static constexpr int count = sizeof...(Strides);
  static constexpr const ast::dim_source* dims[count + 1] = {&ast::dim_object<Strides>..., nullptr};
};

}  // namespace lang

template <Dim... Strides>
inline constexpr lang::stride_list<Strides...> stride{};

template <class T, class Axes, class Strides, Dim... Extents>
class TileView;

// What In::partition and In::windows give.
template <class T, int... Axes, class Strides, Dim... Extents>
class TileView<T, lang::sequence<Axes...>, Strides, Extents...> {
 public:
  constexpr TileView(ast::recorder* trace, int position) : trace_(trace), position_(position) {}

  // How many tiles begin inside the tensor along an axis, the last ones perhaps overhanging.
  constexpr Index tiles(int axis, ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    axis = lang::checked_axis(*trace_, axis, sizeof...(Extents));
    return lang::access::make<Index>(
        *trace_, trace_->add(ast::op::tiles, Index::type, 0, position_, axis, trace_->extent(Strides::dims[axis])));
  }

  // The tile at a tile index.
  constexpr auto load(lang::repeat<lang::tile_index, Axes>... indices,
                      ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    const int ids[] = {indices.use(*trace_)..., 0};
    return made(add_load<0>(ids[Axes]...));
  }
  constexpr auto load(lang::repeat<lang::tile_index, Axes>... indices, lang::padding<T> pad,
                      ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    const int ids[] = {indices.use(*trace_)..., 0};
    const int value = lang::add_constant<T>(*trace_, pad.stated);
    return made(add_load<1>(ids[Axes]..., value));
  }
  template <class... Given>
  requires(!lang::index_arguments<sizeof...(Axes), Given...>::ok) constexpr auto load(const Given&...) const {
    using given = lang::index_arguments<sizeof...(Axes), Given...>;
    (void)sizeof(diagnostics::tile_indices<given::count_ok, given::types_ok, diagnostics::show<Given>...>);
    return made(0);
  }

 private:
  using result = Tile<T, Extents...>;
  static constexpr bool is_partition = lang::same<Strides, lang::stride_list<Extents...>>;

  template <int IsPadded, class... Ids>
  constexpr int add_load(Ids... ids) const {
    if constexpr (is_partition) {
      return trace_->add(ast::op::load, result::type, sizeof...(Ids), ids..., position_, IsPadded);
    } else {
      const int by[] = {trace_->extent(Strides::dims[Axes])..., 0, 0, 0, 0, 0, 0};
      return trace_->add(ast::op::load_window, result::type, sizeof...(Ids), ids..., position_, IsPadded, by[0], by[1],
                         by[2], by[3], by[4], by[5]);
    }
  }
  constexpr result made(int id) const { return lang::access::make<result>(*trace_, id); }

  ast::recorder* trace_;
  int position_;
};

}  // namespace tilewright
