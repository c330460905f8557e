// SPDX-License-Identifier: Apache-2.0
// A piece that has whole axes of its tensor, cut into tiles: each is stored once, in a loop over the tiles of an axis.
#pragma once

#include "tilewright/lang/views.hpp"

namespace tilewright::diagnostics {

template <bool IsTile, bool SameElement, bool SameShape, class Output, class Stored>
struct stored_tile {
  static_assert(IsTile, "store takes a tile; for a constant write b.full<T>(tile<...>, value)");
  static_assert(SameElement, "store: the tile's element type is not the output's; write cast<T>(x)");
  static_assert(SameShape, "store: the tile's shape is not the output's");
};
template <bool HasWholeAxis, bool RankAgrees, bool ExtentsAgree, class Output, class Given>
struct tiles_of_piece {
  static_assert(HasWholeAxis, "this piece is one tile: write z.store(x); a piece with dyn extents is cut into tiles");
  static_assert(RankAgrees, "a piece is cut with one tile extent for each of its axes");
  static_assert(ExtentsAgree,
                "on an axis that is not dyn, the piece is one tile: its extent is that of the piece; on a dyn axis it "
                "is a positive number or a Dim");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

// Axes of a piece that are dyn, as bits.
template <Dim... Extents>
constexpr unsigned whole_axes() {
  unsigned axes = 0, bit = 1;
  ((axes |= Extents.is_dynamic() ? bit : 0U, bit *= 2), ...);
  return axes;
}

// Whether tiles of these extents cut a piece: as long as it is, but on its dyn axes.
template <class Piece, class Tiles>
inline constexpr bool cuts = false;
template <Dim... Piece, Dim... Tiles>
requires(sizeof...(Piece) ==
         sizeof...(Tiles)) inline constexpr bool cuts<extent_list<Piece...>, extent_list<Tiles...>> =
    ((Piece.is_dynamic() ? is_tile_extent(Tiles) : Piece == Tiles) && ... && true);

// The index on one axis: of a whole axis what the author gave, which must be a loop's variable; else 0, in words.
constexpr int index_in_piece(ast::recorder& trace, const tile_index& given, bool is_whole, int axis) {
  if (is_whole) return given.use(trace);
  if (given.index != nullptr || given.number != 0) {
    trace.break_rule(diagnostics::error_index_on_an_axis_of_one_tile_is_not_0, axis);
  }
  return 0;
}

}  // namespace lang

template <class T, unsigned WholeAxes, class Axes, Dim... Extents>
class PieceTiles;

// What Out::partition gives. A tile of it is stored in a loop over the tiles of each dyn axis, `for (auto k :
// range(t.tiles(1))) t.store(0, k, x)`: once on every path through the loop, which makes it once for each tile.
template <class T, unsigned WholeAxes, int... Axes, Dim... Extents>
class PieceTiles<T, WholeAxes, lang::sequence<Axes...>, Extents...> {
 public:
  constexpr PieceTiles(ast::recorder* trace, int position) : trace_(trace), position_(position) {}

  // How many tiles the piece has along an axis, the last one perhaps overhanging. Without dyn there, it is one.
  constexpr Index tiles(int axis, ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    axis = lang::checked_axis(*trace_, axis, rank);
    if ((WholeAxes >> axis & 1U) == 0) {
      return lang::access::make<Index>(*trace_, lang::add_constant<index_element>(*trace_, {1}));
    }
    const int value = trace_->add(ast::op::tiles, Index::type, 0, position_, axis, trace_->extent(dims_[axis]));
    trace_->note_tile_count(value, position_, axis, dims_[axis]);
    return lang::access::make<Index>(*trace_, value);
  }

  // An index for each axis, then the tile: the loop's variable on a dyn axis, 0 on the others.
  template <class Stored>
  constexpr auto store(lang::repeat<lang::tile_index, Axes>... indices, const Stored& value,
                       ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    const int ids[] = {lang::index_in_piece(*trace_, indices, (WholeAxes >> Axes & 1U) != 0, Axes)...};
    if constexpr (!AnyTile<Stored>) {
      (void)sizeof(diagnostics::stored_tile<false, true, true, diagnostics::show<Tile<T, Extents...>>, Stored>);
      trace_->mark_stored_once(position_);
    } else {
      constexpr bool element = lang::same<T, typename Stored::element>;
      constexpr bool shape = !element || lang::same<extent_list<Extents...>, typename Stored::extents>;
      if constexpr (!(element && shape)) {
        (void)sizeof(diagnostics::stored_tile<true, element, shape, diagnostics::show<Tile<T, Extents...>>,
                                              diagnostics::show<typename Stored::tile_type>>);
      }
      record(lang::access::use(value), ids, lang::first_integers<whole_count>{});
    }
  }
  template <class... Given>
  requires(sizeof...(Given) != sizeof...(Axes) + 1) constexpr auto store(const Given&...) const {
    (void)sizeof(diagnostics::tile_indices<false, true, diagnostics::show<Given>...>);
  }

 private:
  static constexpr int rank = sizeof...(Axes);
  static constexpr int whole_count = __builtin_popcount(WholeAxes);
  static constexpr const ast::dim_source* dims_[rank] = {&ast::dim_object<Extents>...};

  template <int... I>
  constexpr void record(int value, const int* ids, lang::sequence<I...>) const {
    int indices[rank] = {}, axes[rank] = {}, count = 0;
    const ast::dim_source* tiles[rank] = {};
    for (int axis = 0; axis < rank; ++axis) {
      if ((WholeAxes >> axis & 1U) == 0) continue;
      indices[count] = ids[axis];
      axes[count] = axis;
      tiles[count++] = dims_[axis];
    }
    trace_->mark_tile_stored(position_, whole_count, indices, axes, tiles);
    trace_->add(ast::op::store_tile, nullptr, 1 + whole_count, value, indices[I]..., position_);
  }

  ast::recorder* trace_;
  int position_;
};

}  // namespace tilewright
