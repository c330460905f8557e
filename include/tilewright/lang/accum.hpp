// SPDX-License-Identifier: Apache-2.0
// Accum: this block's piece of an output that other blocks have too. All combine tiles with it, nobody reads it.
#pragma once

#include "tilewright/lang/parameters.hpp"

namespace tilewright::diagnostics {

template <bool RankOk, bool ExtentsOk, bool ElementOk>
struct accum_parameter {
  static_assert(RankOk, "an Accum has at most 5 axes: the axis behind them counts the blocks that share a piece");
  static_assert(ExtentsOk,
                "an extent of Accum is a positive number or a Dim: the shape of a block's piece; or all are dyn: the "
                "whole tensor, combined into by combine_at");
  static_assert(ElementOk,
                "memory cannot combine such elements: integers of 32 or 64 bits by any combiner, f32 and f64 by sum, "
                "min or max; cast the tiles, and what was combined in another kernel");
};
template <bool HasPiece, class Element, class Combined>
struct combined_piece {
  static_assert(HasPiece,
                "an Accum of dyn extents is the whole tensor: write z.combine_at(x, i, j) with an index tile per axis");
};
template <bool IsWhole, class Piece>
struct combined_tensor {
  static_assert(IsWhole,
                "combine_at chooses elements of the whole tensor: all extents of its Accum are dyn; a tile goes into a "
                "block's piece by combine(x)");
};
template <bool IsNumber, bool SameElement, class Element, class Combined>
struct combined_elements {
  static_assert(IsNumber, "combine_at takes a tile or a number, then an index for each axis");
  static_assert(SameElement, "combine_at: the tile's element type is not the Accum's; write cast<T>(x)");
};
template <bool IsTile, bool SameElement, bool SameShape, class Output, class Combined>
struct combined_tile {
  static_assert(IsTile, "combine takes a tile; for a constant write b.full<T>(tile<...>, value)");
  static_assert(SameElement, "combine: the tile's element type is not the Accum's; write cast<T>(x)");
  static_assert(SameShape, "combine: the tile's shape is not the Accum's");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

template <class T>
constexpr bool combines(combiner by) {
  if constexpr (Element<T>) return can_combine(by, dtype_of<T>);
  return false;
}

// A piece of numbers and Dims, or the whole tensor.
template <Dim... Extents>
inline constexpr bool is_whole = sizeof...(Extents) > 0 && (Extents.is_dynamic() && ... && true);
template <Dim... Extents>
inline constexpr bool are_accum_extents = is_whole<Extents...> || are_piece_extents<Extents...>;

}  // namespace lang

// This block's piece of an output that it shares with other blocks: Accum<f32, combiner::sum, BM, BN>. The launch says
// how many share a piece, t.partition({64, 64}, shared_by(8)), and b.pid(rank) which of them this block is, together
// with its ids on further axes if other outputs have them. What the tensor held before the launch is combined with all
// that they combine, so the caller fills it. Blocks come in any order: integers, min and max give the same each time,
// a sum of floats only up to rounding, unless the kernel runs with(deterministic). Where all extents are dyn, the piece
// is the whole tensor, shared by all blocks, t.all(shared_by(8)), and combine_at chooses elements of it.
template <class T, combiner By, Dim... Extents>
class Accum {
  static_assert(sizeof(diagnostics::accum_parameter<sizeof...(Extents) <= most_accum_axes,
                                                    lang::are_accum_extents<Extents...>, lang::combines<T>(By)>) != 0);

 public:
  static constexpr int rank = sizeof...(Extents);
  static constexpr combiner by = By;
  using parameter = tilewright::parameter<parameter_kind::accum, T, Extents...>;
  static constexpr const ast::type_source* type = &ast::type_object<T, Extents...>;

  Accum(const Accum&) = delete;
  Accum& operator=(const Accum&) = delete;

  // The extent of the whole tensor on an axis.
  constexpr Index extent(int axis, ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    axis = lang::checked_axis(*trace_, axis, rank);
    return lang::access::make<Index>(*trace_, trace_->add(ast::op::extent, Index::type, 0, position_, axis));
  }

  // Any number of times, also in loops and branches.
  template <class Combined>
  constexpr auto combine(const Combined& value, ast::source_place where = ast::source_place()) const {
    if constexpr (lang::is_whole<Extents...>) {
      (void)sizeof(diagnostics::combined_piece<!lang::same<Combined, Combined>, T, diagnostics::show<Combined>>);
    } else if constexpr (!AnyTile<Combined>) {
      (void)sizeof(diagnostics::combined_tile<false, true, true, diagnostics::show<Tile<T, Extents...>>, Combined>);
    } else {
      constexpr bool element = lang::same<T, typename Combined::element>;
      constexpr bool shape = !element || lang::same<extent_list<Extents...>, typename Combined::extents>;
      if constexpr (!(element && shape)) {
        (void)sizeof(diagnostics::combined_tile<true, element, shape, diagnostics::show<Tile<T, Extents...>>,
                                                diagnostics::show<typename Combined::tile_type>>);
      }
      trace_->at(where);
      trace_->add(ast::op::combine, nullptr, 1, lang::access::use(value), position_);
    }
  }

  // A tile, or a number, into the elements that a tile of indices per axis names, then where(mask) if some lanes shall
  // combine nothing: z.combine_at(x, i, j, where(i < n)). Several lanes may name one element.
  template <class Combined, class A = lang::no_index, class B = lang::no_index, class C = lang::no_index,
            class D = lang::no_index, class E = lang::no_index, class F = lang::no_index>
  constexpr auto combine_at(const Combined& value, const A& a = {}, const B& b = {}, const C& c = {}, const D& d = {},
                            const E& e = {}, const F& f = {}, ast::source_place where = ast::source_place()) const {
    return combined_at(where, value, a, b, c, d, e, f);
  }

  template <class... Given>
  constexpr auto windows(const Given&...) const {
    (void)sizeof(diagnostics::windows_of_output<diagnostics::always_false<Accum, Given...>, Accum>);
  }
  template <class... Given>
  constexpr auto gather(const Given&...) const {
    static_assert(diagnostics::always_false<Accum, Given...>,
                  "an Accum is not read by the kernel that combines into it; gather from an In, in the next launch");
    return lang::access::make<Tile<T>>(*trace_, 0);
  }
  template <class Asked = void>
  constexpr auto load() const {
    static_assert(diagnostics::always_false<Asked>,
                  "an Accum is not read by the kernel that combines into it: other blocks are at work on the same "
                  "piece; read it in the next launch, as an In");
    return lang::access::make<Tile<T, Extents...>>(*trace_, 0);
  }
  template <class Stored>
  constexpr void store(const Stored&) const {
    static_assert(diagnostics::always_false<Stored>,
                  "an Accum is not stored, which would lose what other blocks combined; write combine(x), or declare "
                  "the parameter Out<...>");
  }

 private:
  template <class Combined, class... Given>
  constexpr auto combined_at(ast::source_place where, const Combined& value, const Given&... given) const {
    constexpr bool is_whole = lang::is_whole<Extents...>, is_number = AnyTile<Combined> || Literal<Combined>;
    if constexpr (!is_whole) {
      (void)sizeof(
          diagnostics::combined_tensor<!lang::same<Combined, Combined>, diagnostics::show<Tile<T, Extents...>>>);
    } else if constexpr (!is_number) {
      (void)sizeof(diagnostics::combined_elements<false, true, T, Combined>);
    } else {
      using tile = typename lang::operand_tile<Combined, T>::type;
      using choice = lang::element_choice<rank, typename tile::extents, Given...>;
      if constexpr (!lang::same<typename tile::element, T>) {
        (void)sizeof(diagnostics::combined_elements<true, false, T, diagnostics::show<tile>>);
      } else if constexpr (!choice::ok) {
        lang::report_elements<choice, Given...>();
      } else {
        trace_->at(where);
        const int ids[] = {lang::use_as<T>(*trace_, value), lang::element_argument<Given>::use(*trace_, given)...};
        lang::add_access<ast::op::combine_at>(*trace_, nullptr, ids, lang::first_integers<choice::count + 1>{},
                                              position_, choice::masks != 0);
      }
    }
  }

  friend struct lang::parameter_access;
  constexpr Accum(ast::recorder* trace, int position) : trace_(trace), position_(position) {}

  ast::recorder* trace_;
  int position_;
};

}  // namespace tilewright
