// SPDX-License-Identifier: Apache-2.0
// How a broken rule is reported while C++ compiles: a static_assert inside a class template. Its text is the rule; the
// template arguments, which every compiler prints, are what was found. Rules on types are checked where the operation
// stands; rules that only the trace can show are reported at the kernel, with the line in question.
#pragma once

#include "tilewright/ast/recorder.hpp"

namespace tilewright::diagnostics {

// ---- What messages show. Not every compiler prints a Dim or a text readably, all print these.
template <char... Letters>
struct dim;
template <int Value>
struct extent;
struct any_extent;
template <class Element, class... Extents>
struct tile;

template <int Number>
struct line;
template <char... Letters>
struct file;
template <long long Number>
struct got;

template <class T>
struct shown {
  using type = T;
};

template <class...>
inline constexpr bool always_false = false;

// ---- Rules of the trace
template <trace_rule Rule, class Line, class File, class Got>
struct broken_rule {
  static_assert(Rule != error_tile_is_used_outside_the_loop_or_branch_that_made_it,
                "a tile is used outside the loop or branch that made it; assign it to a tile made before");
  static_assert(Rule != error_loop_variable_is_assigned, "a loop variable is assigned; the range alone moves it");
  static_assert(Rule != error_break_or_return_out_of_a_traced_loop,
                "break or return out of a traced loop; end the range earlier, or use if_ or select");
  static_assert(Rule != error_condition_of_while_assigns,
                "the condition of while_ assigns a tile made before it; the body assigns, the condition only asks");
  static_assert(Rule != error_while_assigns_nothing,
                "the body of while_ assigns no tile made before it, so its condition never changes");
  static_assert(
      Rule != error_combiner_is_not_element_wise,
      "a combiner is made of element-wise operations on tiles of rank 0; load, loop and branch outside of it");
  static_assert(Rule != error_combiner_assigns,
                "a combiner assigns a tile made before it; it gives what it combined, values(...)");
  static_assert(Rule != error_combiner_divides_by_no_literal,
                "a combiner divides integers by something else than a literal that is not 0: no check can stand there");
  static_assert(Rule != error_loops_and_branches_nest_too_deeply, "loops and branches nest too deeply");
  static_assert(Rule != error_output_is_stored_twice, "an output is stored twice on one path");
  static_assert(Rule != error_output_is_stored_inside_a_loop,
                "an output is stored inside a traced loop; carry a tile through the loop and store it after");
  static_assert(Rule != error_output_is_stored_on_one_branch_only,
                "an output is stored on one branch of if_ only; store on both, or once after them");
  static_assert(Rule != error_output_is_never_stored, "an output is never stored");
  static_assert(Rule != error_output_is_loaded_after_its_store, "an InOut is loaded after its store");
  static_assert(Rule != error_rows_are_placed_by_two_parameters,
                "the rows of one Scatter are placed by two Unique parameters on two paths, so that two blocks could "
                "write one row; give it one");
  static_assert(Rule != error_whole_axis_is_not_indexed_by_a_loop_variable,
                "a tile of a dyn axis is stored at something else than the variable of a traced loop: write "
                "for (auto k : range(t.tiles(axis))) t.store(..., k, ..., x)");
  static_assert(Rule != error_loop_does_not_run_over_all_tiles_of_the_axis,
                "the loop around a store does not run over all tiles of the dyn axis: write range(t.tiles(axis)) with "
                "the t that is stored to, nothing added to it or assigned to it");
  static_assert(Rule != error_loop_variable_indexes_two_axes,
                "one loop variable indexes two dyn axes; each has a loop of its own");
  static_assert(Rule != error_tile_of_a_piece_is_stored_inside_another_loop,
                "a tile of a piece is stored inside a loop that is none over its dyn axes, which would repeat the "
                "store; move the store, or the loop");
  static_assert(Rule != error_index_on_an_axis_of_one_tile_is_not_0,
                "on an axis that is not dyn the piece is one tile; its index is 0");
  static_assert(Rule != error_tile_index_is_negative, "a tile index is negative; tiles count from 0");
  static_assert(Rule != error_element_index_is_negative, "an element index is negative; elements count from 0");
  static_assert(Rule != error_loop_step_is_not_positive, "the step of a range is not positive");
  static_assert(Rule != error_axis_is_out_of_range, "there is no such axis; axes count from 0");
  static_assert(Rule != error_literal_does_not_fit_the_element, "a literal does not fit the tile's element type");
  static_assert(Rule != error_literal_is_not_exact_in_the_element,
                "an integer literal is not exact in the tile's element type; write it as a floating literal to round");
  static_assert(Rule != error_kernel_has_too_many_tile_types, "a kernel has too many tile types");
  static_assert(Rule != error_kernel_has_too_many_dims, "a kernel names too many Dims");
  static_assert(Rule != error_kernel_has_too_many_source_files, "a kernel stands in too many source files");
  static_assert(Rule != error_source_line_is_too_large, "a source line is too large to be recorded");
  static_assert(Rule != error_text_is_not_one_line,
                "a text of a kernel is one line with at least one character, none of them a control character");
  static_assert(Rule != error_brace_in_a_printed_text_stands_alone,
                "a brace of a printed text stands alone: {} is the place of a value, {{ and }} are braces");
  static_assert(Rule != error_printed_text_has_other_places,
                "a printed text has another number of places, {}, than there are values");
};

}  // namespace tilewright::diagnostics
