// SPDX-License-Identifier: Apache-2.0
// Block: what a kernel can ask for without an operand: its place in the grid, and tiles made from nothing.
#pragma once

#include "tilewright/lang/control.hpp"
#include "tilewright/lang/shape.hpp"
#include "tilewright/lang/text.hpp"

namespace tilewright::diagnostics {

template <bool CountsOneAxis, bool IsInteger, class A>
struct iota_tile {
  static_assert(CountsOneAxis, "iota counts along one axis; all other extents must be 1");
  static_assert(IsInteger, "iota needs integers or index_element; cast<f32>(...) its result");
};

template <bool IsOfTensors, bool HasOneShape, int Elements, class A>
struct table_tile {
  static_assert(IsOfTensors, "a table has no elements of 4 bits; write bitcast<T>(b.table<u8>({...})) of their codes");
  static_assert(HasOneShape, "a table has rank 1 or more, extents that are numbers, and one value for each element");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

constexpr int counted_axes(const Dim* extents, int rank) {
  int count = 0;
  for (int axis = 0; axis < rank; ++axis) count += extents[axis].is_one() ? 0 : 1;
  return count;
}
// The axis that iota counts along: the only one whose extent is not 1, else the last.
template <Dim... Extents>
constexpr int iota_axis(extent_list<Extents...>) {
  const Dim extents[] = {Extents..., Dim(0)};
  int axis = sizeof...(Extents) - 1;
  while (axis > 0 && extents[axis].is_one()) --axis;
  return axis;
}
template <Dim... Extents>
constexpr bool counts_one_axis(extent_list<Extents...>) {
  const Dim extents[] = {Extents..., Dim(0)};
  return sizeof...(Extents) > 0 && counted_axes(extents, sizeof...(Extents)) <= 1;
}

// Whether so many values fill these extents.
template <Dim... Extents>
constexpr bool are_filled_by(int values, extent_list<Extents...>) {
  const Dim extents[] = {Extents..., Dim(1)};
  long long elements = sizeof...(Extents) == 0 ? 0 : 1;
  for (const Dim& extent : extents) elements *= extent.is_constant() ? extent.value : 0;
  return elements == values;
}

}  // namespace lang

class Block {
 public:
  // The logical position of this block in the grid, and the grid's extent, on an axis.
  constexpr Index pid(int axis, ast::source_place where = ast::source_place()) const {
    return position(ast::op::block_id, axis, where);
  }
  constexpr Index grid(int axis, ast::source_place where = ast::source_place()) const {
    return position(ast::op::block_count, axis, where);
  }

  template <class T, Dim... Extents>
  constexpr auto zeros(extent_list<Extents...>, ast::source_place where = ast::source_place()) const {
    return constant<T, Extents...>(lang::zero_of<T>, where);
  }
  template <class T, Dim... Extents, Literal U>
  constexpr auto full(extent_list<Extents...>, U value, ast::source_place where = ast::source_place()) const {
    return constant<T, Extents...>(lang::state<T>(value), where);
  }
  template <class T, Dim... Extents>
  constexpr auto full(extent_list<Extents...> extents, const Tile<T>& value,
                      ast::source_place where = ast::source_place()) const {
    return broadcast(value, extents, where);
  }

  // 0, 1, 2, ... along the only axis whose extent is not 1.
  template <class T, Dim... Extents>
  constexpr auto iota(extent_list<Extents...> extents, ast::source_place where = ast::source_place()) const {
    using result = Tile<T, Extents...>;
    constexpr bool one_axis = lang::counts_one_axis(extent_list<Extents...>{});
    if constexpr (!(one_axis && lang::accepted<ast::op::iota, T>)) {
      (void)sizeof(diagnostics::iota_tile<one_axis, lang::accepted<ast::op::iota, T>, diagnostics::show<result>>);
    }
    trace_->at(where);
    return lang::access::make<result>(*trace_, trace_->add(ast::op::iota, result::type, 0, lang::iota_axis(extents)));
  }

  // Literals, one for each element in row-major order; without extents a tile of rank 1. The values are a list or an
  // array of one C++ type, and known while the kernel is compiled.
  //   b.table<f32>({0.25f, 0.5f, 0.25f})
  //   b.table<i32>(tile<2, 3>, {0, 1, 2,
  //                             3, 4, 5})
  template <class T, Literal U, int Count>
  constexpr auto table(const U (&values)[Count], ast::source_place where = ast::source_place()) const {
    return table<T>(extent_list<Dim(Count)>{}, values, where);
  }
  template <class T, Dim... Extents, Literal U, int Count>
  constexpr auto table(extent_list<Extents...>, const U (&values)[Count],
                       ast::source_place where = ast::source_place()) const {
    using result = Tile<T, Extents...>;
    constexpr bool is_filled = lang::are_filled_by(Count, extent_list<Extents...>{});
    constexpr bool is_of_tensors = lang::accepted<ast::op::table, T>;
    if constexpr (!(is_filled && is_of_tensors)) {
      (void)sizeof(diagnostics::table_tile<is_of_tensors, is_filled, Count, diagnostics::show<result>>);
    }
    trace_->at(where);
    for (const U value : values) lang::require_fitting(*trace_, lang::state<T>(value));
    const auto word_of = [&values](int i) { return lang::state<T>(values[i]).bits; };
    return lang::access::make<result>(*trace_, trace_->add_table(result::type, Count, word_of));
  }

  // The number that a Dim, or an expression of Dims, is bound to: b.size(tile<ceil_div(BN, 4)>).
  template <Dim Extent>
  constexpr auto size(extent_list<Extent>, ast::source_place where = ast::source_place()) const {
    static_assert(lang::is_tile_extent(Extent),
                  "size(tile<D>) takes a Dim; for a tensor's extent write x.extent(axis)");
    trace_->at(where);
    return lang::access::make<Index>(
        *trace_, trace_->add(ast::op::dim_value, Index::type, 0, trace_->extent(&ast::dim_object<Extent>)));
  }

  // As the free range, and for constant bounds too.
  template <Operand To>
  constexpr auto range(const To& to, ast::source_place where = ast::source_place()) const {
    return lang::make_range(*trace_, 0, to, 1, where);
  }
  template <Operand From, Operand To>
  constexpr auto range(const From& from, const To& to, ast::source_place where = ast::source_place()) const {
    return lang::make_range(*trace_, from, to, 1, where);
  }
  template <Operand From, Operand To, Operand Step>
  constexpr auto range(const From& from, const To& to, const Step& step,
                       ast::source_place where = ast::source_place()) const {
    return lang::make_range(*trace_, from, to, step, where);
  }

  // A loop of the running kernel: while condition(), asked before each round, body(). Both are lambdas without
  // parameters, `[&] { ... }`; the body assigns what the condition depends on. A loop that never ends hangs its launch.
  template <class Condition, class Body>
  constexpr void while_(const Condition& condition, const Body& body,
                        ast::source_place where = ast::source_place()) const {
    lang::while_loop(*trace_, condition, body, where);
  }

  // Prints a line wherever a block gets here: the place of this line, the block, and the text with a value for each
  // {}. Values are tiles, scalars and indices of any element; {{ and }} are braces. A block's lines come in its own
  // order, those of several blocks in any. docs/debugging.md says where lines go and how values are written.
  //   b.print("row {} sums to {}", i, sum);
  template <class... Values>
  constexpr void print(const lang::printed_text& text, const Values&... values) const {
    constexpr int count = sizeof...(Values);
    constexpr bool are_tiles = (AnyTile<Values> && ... && true), fit = count <= lang::most_printed_values;
    if constexpr (are_tiles && fit) {
      trace_->at(text.where);
      trace_->add(ast::op::print, nullptr, count, lang::access::use(values)...,
                  lang::stated_text(*trace_, text, count));
    } else {
      (void)sizeof(diagnostics::printed_values<are_tiles, fit, diagnostics::show<Values>...>);
    }
  }

  template <class Text, class... Values>
  requires(!lang::is_text_literal<Text>) constexpr void print(const Text&, const Values&...) const {
    (void)sizeof(diagnostics::kernel_text<false, diagnostics::show<Text>>);
  }

 private:
  friend struct lang::parameter_access;
  constexpr Block(ast::recorder* trace, int) : trace_(trace) {}

  constexpr Index position(ast::op which, int axis, ast::source_place where) const {
    trace_->at(where);
    axis = lang::checked_axis(*trace_, axis, max_rank);
    return lang::access::make<Index>(*trace_, trace_->add(which, Index::type, 0, axis));
  }
  template <class T, Dim... Extents>
  constexpr auto constant(lang::stated_literal value, ast::source_place where) const {
    trace_->at(where);
    return lang::access::make<Tile<T, Extents...>>(*trace_, lang::add_constant<T, Extents...>(*trace_, value));
  }

  ast::recorder* trace_;
};

}  // namespace tilewright
