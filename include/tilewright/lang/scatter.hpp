// SPDX-License-Identifier: Apache-2.0
// Rows of an output that data places: Unique, the indices that a launch knows to differ, and Scatter, whose rows go
// where they say.
#pragma once

#include "tilewright/lang/parameters.hpp"

namespace tilewright::diagnostics {

template <bool ElementOk, class Element>
struct unique_parameter {
  static_assert(ElementOk, "a Unique has indices of i32 or i64");
};
template <bool RankOk, bool ExtentsOk, int Rank>
struct scatter_parameter {
  static_assert(RankOk, "a Scatter has two axes: rows, which are placed, and columns");
  static_assert(ExtentsOk, "an extent of Scatter is a positive number or a Dim: the shape of a block's piece");
};
template <bool IsUnique, class Given>
struct placing_indices {
  static_assert(IsUnique,
                "the rows of a Scatter are placed by a Unique parameter, whose indices the host has checked: "
                "z.store(rows, x)");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

// Indices of which no two are equal, i32 or i64, that the kernel may only read. The host gives what unique_indices()
// has checked, and lets nobody change them.
template <class T>
class Unique : public lang::input<T, lang::first_integers<1>, dyn> {
  static_assert(sizeof(diagnostics::unique_parameter < lang::same<T, i32> || lang::same<T, i64>, T >) != 0);

 public:
  using parameter = tilewright::parameter<parameter_kind::unique, T, dyn>;

 private:
  friend struct lang::parameter_access;
  using lang::input<T, lang::first_integers<1>, dyn>::input;
};

namespace lang {

template <class X>
inline constexpr bool is_unique = false;
template <class T>
inline constexpr bool is_unique<Unique<T>> = true;

}  // namespace lang

// This block's rows of an output, at places that data chooses: row r of the block's tile goes to the row that index r
// of the block's piece of a Unique names. Write-only, stored exactly once on every path; as no two indices are equal,
// no two blocks meet. The grid has a block for each BM of the indices, and each BN columns of the output. Rows that no
// index names keep what they held.
template <class T, Dim... Extents>
class Scatter {
  static_assert(sizeof(diagnostics::scatter_parameter<sizeof...(Extents) == 2, lang::are_piece_extents<Extents...>,
                                                      static_cast<int>(sizeof...(Extents))>) != 0);

 public:
  static constexpr int rank = sizeof...(Extents);
  using parameter = tilewright::parameter<parameter_kind::scatter, T, Extents...>;
  static constexpr const ast::type_source* type = &ast::type_object<T, Extents...>;

  Scatter(const Scatter&) = delete;
  Scatter& operator=(const Scatter&) = delete;

  // The extent of the whole tensor on an axis.
  constexpr Index extent(int axis, ast::source_place where = ast::source_place()) const {
    trace_->at(where);
    axis = lang::checked_axis(*trace_, axis, rank);
    return lang::access::make<Index>(*trace_, trace_->add(ast::op::extent, Index::type, 0, position_, axis));
  }

  template <class Indices, class Stored>
  constexpr auto store(const Indices& rows, const Stored& value, ast::source_place where = ast::source_place()) const {
    constexpr bool has_rows = lang::is_unique<Indices>;
    if constexpr (!has_rows) {
      (void)sizeof(diagnostics::placing_indices<has_rows, Indices>);
    } else if constexpr (!AnyTile<Stored>) {
      (void)sizeof(diagnostics::stored_tile<false, true, true, diagnostics::show<Tile<T, Extents...>>, Stored>);
    } else {
      constexpr bool element = lang::same<T, typename Stored::element>;
      constexpr bool shape = !element || lang::same<extent_list<Extents...>, typename Stored::extents>;
      if constexpr (!(element && shape)) {
        (void)sizeof(diagnostics::stored_tile<true, element, shape, diagnostics::show<Tile<T, Extents...>>,
                                              diagnostics::show<typename Stored::tile_type>>);
      }
      trace_->at(where);
      record(rows, lang::access::use(value));
    }
    if constexpr (!(has_rows && AnyTile<Stored>)) trace_->mark_stored(position_);
  }

  template <class Stored>
  constexpr auto store(const Stored&) const {
    (void)sizeof(diagnostics::placing_indices<!lang::same<Stored, Stored>, Stored>);
    trace_->mark_stored(position_);
  }
  template <class... Given>
  constexpr auto windows(const Given&...) const {
    (void)sizeof(diagnostics::windows_of_output<diagnostics::always_false<Scatter, Given...>, Scatter>);
  }
  template <class Asked = void>
  constexpr auto load() const {
    static_assert(diagnostics::always_false<Asked>,
                  "a Scatter is write-only; read the tensor as an In, in a launch before or after");
    return lang::access::make<Tile<T, Extents...>>(*trace_, 0);
  }

 private:
  friend struct lang::parameter_access;
  constexpr Scatter(ast::recorder* trace, int position) : trace_(trace), position_(position) {}

  // The block's tile of the indices, -1 past their end: no row.
  template <class I>
  constexpr void record(const Unique<I>& rows, int value) const {
    constexpr Dim length = lang::extent_at(extent_list<Extents...>{}, 0);
    const int indices = lang::parameter_access::position(rows);
    trace_->mark_stored(position_);
    trace_->mark_placed(position_, indices);
    const int block = trace_->add(ast::op::block_id, Index::type, 0, 0);
    const int none = lang::add_constant<I>(*trace_, {-1});
    const int line = trace_->add(ast::op::load, Tile<I, length>::type, 2, block, none, indices, 1);
    const int column = trace_->add(ast::op::reshape, Tile<I, length, 1>::type, 1, line);
    trace_->add(ast::op::store_rows, nullptr, 2, value, column, position_, indices);
  }

  ast::recorder* trace_;
  int position_;
};

// The tile of x that lies where this block's piece of z would lie if its rows were in the order of the indices.
template <class T, Dim... Extents, class U, Dim... Piece>
constexpr auto load_like(const In<T, Extents...>& x, const Scatter<U, Piece...>& z,
                         ast::source_place where = ast::source_place()) {
  return lang::load_at_place_of(x, z, extent_list<Piece...>{}, where);
}

}  // namespace tilewright
