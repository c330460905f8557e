// SPDX-License-Identifier: Apache-2.0
// What a kernel takes: In (a whole tensor, read-only), Out and InOut (this block's piece). Scalars are tiles.
#pragma once

#include "tilewright/lang/element_access.hpp"
#include "tilewright/lang/margin.hpp"
#include "tilewright/lang/piece_tiles.hpp"

namespace tilewright::diagnostics {

template <bool RankOk, bool ExtentsOk>
struct parameter_extents {
  static_assert(RankOk, "a parameter has at most 6 axes");
  static_assert(ExtentsOk, "an extent of In is dyn, a positive number or a Dim");
};
template <bool RankOk, bool ExtentsOk>
struct piece_extents {
  static_assert(RankOk, "a parameter has at most 6 axes");
  static_assert(ExtentsOk,
                "an extent of Out is a positive number or a Dim: the shape of a block's piece; or dyn: the whole axis, "
                "stored tile by tile");
};
template <bool ExtentsOk>
struct whole_axes_of_in_out {
  static_assert(ExtentsOk,
                "an InOut has no whole axes: its extents are positive numbers or Dims; read the old content through an "
                "In, of a tensor of its own, and write an Out");
};
template <bool HasNoWholeAxis>
struct stored_piece {
  static_assert(HasNoWholeAxis,
                "a piece with dyn extents is stored tile by tile: for (auto k : range(t.tiles(1))) t.store(0, k, x), "
                "with t = z.partition(tile<BM, BK>)");
};
template <bool RanksAgree, bool HasNoWholeAxis, int TensorRank, int OutputRank>
struct load_like_operands {
  static_assert(RanksAgree, "load_like(x, z): x and z have different ranks");
  static_assert(HasNoWholeAxis, "load_like(x, z): z has whole axes; write x.load(tile<BM, BK>, b.pid(0), k)");
};
template <bool RankIs2, bool RowsAreIntegers, bool ShapeAgrees, class Rows, class Result>
struct gathered_rows {
  static_assert(RankIs2, "gather_rows reads tensors of rank 2");
  static_assert(RowsAreIntegers, "gather_rows: the rows are a tile of integers or of Index values");
  static_assert(ShapeAgrees, "gather_rows(rows, tile<R, C>, column): rows must have the shape (R, 1)");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

template <Dim... Extents>
inline constexpr bool are_piece_extents = (is_tile_extent(Extents) && ... && true);
template <Dim... Extents>
inline constexpr bool are_tensor_extents = ((Extents.is_dynamic() || is_tile_extent(Extents)) && ... && true);

// In, with its axes as a pack: that lets a load take one index for each and yet know the line of its caller.
template <class T, class Axes, Dim... Extents>
class input;

template <class T, int... Axes, Dim... Extents>
class input<T, sequence<Axes...>, Extents...> {
  static_assert(
      sizeof(diagnostics::parameter_extents<sizeof...(Extents) <= max_rank, are_tensor_extents<Extents...>>) != 0);

 public:
  static constexpr int rank = sizeof...(Extents);
  using parameter = tilewright::parameter<parameter_kind::in, T, Extents...>;
  static constexpr const ast::type_source* type = &ast::type_object<T, Extents...>;

  // The extent of the tensor on an axis.
  constexpr Index extent(int axis, ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    axis = checked_axis(*trace_, axis, rank);
    return access::make<Index>(*trace_, trace_->add(ast::op::extent, Index::type, 0, position_, axis));
  }

  // The tensor cut into tiles.
  template <Dim... Tiles>
  constexpr auto partition(extent_list<Tiles...>) const {
    if constexpr (sizeof...(Tiles) != rank) {
      (void)sizeof(diagnostics::tiles_of_tensor<false, T, rank, diagnostics::show<Tile<T, Tiles...>>>);
    }
    return TileView<T, first_integers<sizeof...(Tiles)>, stride_list<Tiles...>, Tiles...>(trace_, position_);
  }

  // The tensor as windows: on each axis number i begins at element i * stride. They overlap where the stride is less
  // than the extent, and leave gaps where it is more; x.windows(tile<1, BK>, stride<1, 1>).load(i, j) begins anywhere.
  // All begin inside the tensor; with a margin they begin in front of it.
  template <Dim... Tiles, Dim... Strides>
  constexpr auto windows(extent_list<Tiles...>, stride_list<Strides...>) const {
    constexpr bool ranks = sizeof...(Tiles) == rank, strides = !ranks || sizeof...(Strides) == rank;
    constexpr bool are_steps = (is_tile_extent(Strides) && ... && true);
    if constexpr (!(ranks && strides && are_steps)) {
      (void)sizeof(
          diagnostics::windows_of_tensor<ranks, strides, are_steps, T, rank, diagnostics::show<Tile<T, Tiles...>>>);
      return TileView<T, first_integers<sizeof...(Tiles)>, stride_list<Tiles...>, Tiles...>(trace_, position_);
    } else {
      return TileView<T, first_integers<rank>, stride_list<Strides...>, Tiles...>(trace_, position_);
    }
  }

  // Windows that begin `margin` elements sooner: number i at i * stride - margin, anywhere. Their loads name a pad.
  //   x.windows(tile<8>, stride<4>, margin<1>).load(i, pad(0))
  template <Dim... Tiles, Dim... Strides, Dim... Margins>
  constexpr auto windows(extent_list<Tiles...> tiles, stride_list<Strides...> strides, margin_list<Margins...>) const {
    constexpr bool agree = sizeof...(Margins) == rank;
    constexpr bool are_margins = ((is_tile_extent(Margins) || !has_margin(Margins)) && ... && true);
    constexpr bool are_windows =
        sizeof...(Tiles) == rank && sizeof...(Strides) == rank && (is_tile_extent(Strides) && ... && true);
    if constexpr (!(agree && are_margins)) {
      (void)sizeof(diagnostics::margins_of_windows<agree, are_margins, T, rank, diagnostics::show<Tile<T, Tiles...>>>);
    }
    if constexpr (!(agree && are_margins && are_windows)) {
      return windows(tiles, strides);  // says what else is wrong
    } else {
      return MarginedWindows<T, input, first_integers<rank>, extent_list<Tiles...>, stride_list<Strides...>,
                             margin_list<Margins...>>(*this);
    }
  }

  // One tile: partition(tile).load(indices...[, pad(value)]).
  template <Dim... Tiles>
  requires(sizeof...(Tiles) == rank) constexpr auto load(extent_list<Tiles...> extents,
                                                         repeat<tile_index, Axes>... indices,
                                                         ast::source_place where = ast::source_place()) const {
    return partition(extents).load(indices..., where);
  }
  template <Dim... Tiles>
  requires(sizeof...(Tiles) == rank) constexpr auto load(extent_list<Tiles...> extents,
                                                         repeat<tile_index, Axes>... indices, padding<T> pad,
                                                         ast::source_place where = ast::source_place()) const {
    return partition(extents).load(indices..., pad, where);
  }
  template <Dim... Tiles, class... Given>
  requires(sizeof...(Tiles) != rank ||
           !index_arguments<rank, Given...>::ok) constexpr auto load(extent_list<Tiles...> extents,
                                                                     const Given&...) const {
    using given = index_arguments<rank, Given...>;
    if constexpr (sizeof...(Tiles) == rank) {
      (void)sizeof(diagnostics::tile_indices<given::count_ok, given::types_ok, diagnostics::show<Given>...>);
    }
    (void)partition(extents);
    return access::make<Tile<T, Tiles...>>(*trace_, 0);
  }

  // The rows of this matrix that a tile of row numbers names, C columns of them from column tile `column`.
  template <class TR, Dim... Rows, Dim... Tiles>
  constexpr auto gather_rows(const Tile<TR, Rows...>& rows, extent_list<Tiles...>, tile_index column,
                             ast::source_place where = ast::source_place()) const {
    constexpr bool ranks = rank == 2 && sizeof...(Tiles) == 2;
    constexpr bool integers = same<TR, index_element> || is_integer(dtype_of<TR>);
    constexpr bool shape =
        !ranks || same<extent_list<Rows...>, extent_list<extent_at(extent_list<Tiles...>{}, 0), Dim(1)>>;
    using result = Tile<T, Tiles...>;
    if constexpr (!(ranks && integers && shape)) {
      (void)sizeof(diagnostics::gathered_rows<ranks, integers, shape, diagnostics::show<Tile<TR, Rows...>>,
                                              diagnostics::show<result>>);
    }
    trace_->at(where);
    const int column_id = column.use(*trace_);
    return access::make<result>(
        *trace_, trace_->add(ast::op::gather_rows, result::type, 2, access::use(rows), column_id, position_));
  }

  // The elements that a tile of indices per axis names, then where(mask) if some lanes shall read nothing and be 0:
  // x.gather(i, j, where(i < n)). One shape for all, or what repeats to it.
  template <class A = no_index, class B = no_index, class C = no_index, class D = no_index, class E = no_index,
            class F = no_index, class G = no_index>
  constexpr auto gather(const A& a = {}, const B& b = {}, const C& c = {}, const D& d = {}, const E& e = {},
                        const F& f = {}, const G& g = {}, ast::source_place where = ast::source_place()) const {
    return gathered(where, a, b, c, d, e, f, g);
  }

 protected:
  friend struct parameter_access;
  constexpr input(ast::recorder* trace, int position) : trace_(trace), position_(position) {}

 private:
  template <class... Given>
  constexpr auto gathered(ast::source_place where, const Given&... given) const {
    using choice = element_choice<rank, extent_list<>, Given...>;
    using result = tile_of<T, typename choice::extents>;
    if constexpr (!choice::ok) {
      report_elements<choice, Given...>();
      return access::make<result>(*trace_, 0);
    } else {
      trace_->at(where);
      const int ids[] = {element_argument<Given>::use(*trace_, given)...};
      return access::make<result>(
          *trace_, add_access<ast::op::gather>(*trace_, result::type, ids, first_integers<choice::count>{}, position_,
                                               choice::masks != 0));
    }
  }

  ast::recorder* trace_;
  int position_;
};

}  // namespace lang

// A whole tensor that the kernel may only read, at any place. Extents are dyn, numbers or Dims; numbers and Dims are
// checked at launch.
template <class T, Dim... Extents>
class In : public lang::input<T, lang::first_integers<sizeof...(Extents)>, Extents...> {
  friend struct lang::parameter_access;
  using lang::input<T, lang::first_integers<sizeof...(Extents)>, Extents...>::input;
};

// This block's piece of an output. Write-only, stored exactly once on every path, so that no two blocks and no two
// stores ever meet. On an axis that is dyn the piece is all of the axis, which the launch says by whole_axis: it is
// stored tile by tile through partition(), each tile exactly once.
template <class T, Dim... Extents>
class Out {
  static_assert(
      sizeof(diagnostics::piece_extents<sizeof...(Extents) <= max_rank, lang::are_tensor_extents<Extents...>>) != 0);

 public:
  static constexpr int rank = sizeof...(Extents);
  using parameter = tilewright::parameter<parameter_kind::out, T, Extents...>;
  static constexpr const ast::type_source* type = &ast::type_object<T, Extents...>;

  Out(const Out&) = delete;  // a second name for one output would hide a second store
  Out& operator=(const Out&) = delete;

  // The extent of the whole tensor on an axis.
  constexpr Index extent(int axis, ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    axis = lang::checked_axis(*trace_, axis, rank);
    return lang::access::make<Index>(*trace_, trace_->add(ast::op::extent, Index::type, 0, position_, axis));
  }

  template <class Stored>
  constexpr auto store(const Stored& value, ast::source_place where = ast::source_place()) const {
    if constexpr (!AnyTile<Stored>) {
      (void)sizeof(diagnostics::stored_tile<false, true, true, diagnostics::show<Tile<T, Extents...>>, Stored>);
      trace_->mark_stored(position_);
    } else {
      constexpr bool element = lang::same<T, typename Stored::element>;
      constexpr bool shape = !element || lang::same<extent_list<Extents...>, typename Stored::extents>;
      if constexpr (!(element && shape)) {
        (void)sizeof(diagnostics::stored_tile<true, element, shape, diagnostics::show<Tile<T, Extents...>>,
                                              diagnostics::show<typename Stored::tile_type>>);
      }
      if constexpr (lang::whole_axes<Extents...>() != 0) {
        (void)sizeof(diagnostics::stored_piece<!lang::same<Stored, Stored>>);
      }
      trace_->at(where);
      trace_->mark_stored(position_);
      trace_->add(ast::op::store, nullptr, 1, lang::access::use(value), position_);
    }
  }

  // A piece with dyn extents cut into tiles, to store one after the other; on its other axes it is one tile.
  template <Dim... Tiles>
  constexpr auto partition(extent_list<Tiles...>) const {
    constexpr unsigned whole = lang::whole_axes<Extents...>();
    constexpr bool ranks = sizeof...(Tiles) == rank;
    constexpr bool extents = !ranks || lang::cuts<extent_list<Extents...>, extent_list<Tiles...>>;
    if constexpr (!(whole != 0 && ranks && extents)) {
      (void)sizeof(diagnostics::tiles_of_piece<whole != 0, ranks, extents, diagnostics::show<Tile<T, Extents...>>,
                                               diagnostics::show<Tile<T, Tiles...>>>);
    }
    return PieceTiles<T, whole, lang::first_integers<sizeof...(Tiles)>, Tiles...>(trace_, position_);
  }

  template <class Asked = void>
  constexpr auto load() const {
    static_assert(diagnostics::always_false<Asked>,
                  "an Out is write-only; declare the parameter InOut<...> to read what it holds");
    return lang::access::make<Tile<T, Extents...>>(*trace_, 0);
  }
  template <class... Given>
  constexpr auto windows(const Given&...) const {
    (void)sizeof(diagnostics::windows_of_output<diagnostics::always_false<Out, Given...>, Out>);
  }
  template <class... Given>
  constexpr auto gather(const Given&...) const {
    static_assert(diagnostics::always_false<Out, Given...>,
                  "an output has one piece per block, which is not gathered from; take the tensor as an In<...>");
    return lang::access::make<Tile<T, Extents...>>(*trace_, 0);
  }
  template <class... Given>
  constexpr void combine_at(const Given&...) const {
    static_assert(diagnostics::always_false<Out, Given...>,
                  "an Out has one writer per element; to combine at elements that data chooses, declare the parameter "
                  "Accum<T, combiner::sum, dyn>");
  }

 protected:
  friend struct lang::parameter_access;
  constexpr Out(ast::recorder* trace, int position) : trace_(trace), position_(position) {}

  ast::recorder* trace_;
  int position_;
};

// As Out, and its old content may be loaded before the store.
template <class T, Dim... Extents>
class InOut : public Out<T, Extents...> {
  static_assert(sizeof(diagnostics::whole_axes_of_in_out<lang::are_piece_extents<Extents...>>) != 0);

 public:
  using parameter = tilewright::parameter<parameter_kind::in_out, T, Extents...>;

  constexpr auto load(ast::source_place where = ast::source_place()) const {
    using result = Tile<T, Extents...>;
    this->trace_->at(where);
    this->trace_->require_not_stored(this->position_);
    return lang::access::make<result>(*this->trace_,
                                      this->trace_->add(ast::op::load_piece, result::type, 0, this->position_));
  }

 private:
  friend struct lang::parameter_access;
  using Out<T, Extents...>::Out;
};

namespace lang {

template <class T, int... Axes, Dim... Extents, class Output, Dim... Piece>
constexpr auto load_at_place_of(const input<T, sequence<Axes...>, Extents...>& x, const Output&, extent_list<Piece...>,
                                ast::source_place where) {
  constexpr bool ranks_agree = sizeof...(Extents) == sizeof...(Piece), is_tile = whole_axes<Piece...>() == 0;
  ast::recorder& trace = parameter_access::trace(x);
  using result = Tile<T, Piece...>;
  if constexpr (!(ranks_agree && is_tile)) {
    (void)sizeof(diagnostics::load_like_operands<ranks_agree, is_tile, sizeof...(Extents), sizeof...(Piece)>);
    return access::make<result>(trace, 0);
  } else {
    trace.at(where);
    const int ids[] = {trace.add(ast::op::block_id, Index::type, 0, Axes)..., 0};
    return access::make<result>(
        trace, trace.add(ast::op::load, result::type, sizeof...(Axes), ids[Axes]..., parameter_access::position(x), 0));
  }
}

}  // namespace lang

// The tile of x that lies where this block's piece of z lies.
template <class T, Dim... Extents, class U, Dim... Piece>
constexpr auto load_like(const In<T, Extents...>& x, const Out<U, Piece...>& z,
                         ast::source_place where = ast::source_place()) {
  return lang::load_at_place_of(x, z, extent_list<Piece...>{}, where);
}

}  // namespace tilewright
