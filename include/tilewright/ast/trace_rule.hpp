// SPDX-License-Identifier: Apache-2.0
// The rules of a trace that only running it can show. A breach is noted, with its place, and the trace goes on; the
// first one is what the author is told.
#pragma once

namespace tilewright::diagnostics {

enum trace_rule : int {
  no_breach,
  error_tile_is_used_outside_the_loop_or_branch_that_made_it,
  error_loop_variable_is_assigned,
  error_break_or_return_out_of_a_traced_loop,
  error_condition_of_while_assigns,
  error_while_assigns_nothing,
  error_combiner_is_not_element_wise,
  error_combiner_assigns,
  error_combiner_divides_by_no_literal,
  error_loops_and_branches_nest_too_deeply,
  error_output_is_stored_twice,
  error_output_is_stored_inside_a_loop,
  error_output_is_stored_on_one_branch_only,
  error_output_is_never_stored,
  error_output_is_loaded_after_its_store,
  error_rows_are_placed_by_two_parameters,
  error_whole_axis_is_not_indexed_by_a_loop_variable,
  error_loop_does_not_run_over_all_tiles_of_the_axis,
  error_loop_variable_indexes_two_axes,
  error_tile_of_a_piece_is_stored_inside_another_loop,
  error_index_on_an_axis_of_one_tile_is_not_0,
  error_tile_index_is_negative,
  error_element_index_is_negative,
  error_loop_step_is_not_positive,
  error_axis_is_out_of_range,
  error_literal_does_not_fit_the_element,
  error_literal_is_not_exact_in_the_element,
  error_kernel_has_too_many_tile_types,
  error_kernel_has_too_many_dims,
  error_kernel_has_too_many_source_files,
  error_source_line_is_too_large,
  error_text_is_not_one_line,
  error_brace_in_a_printed_text_stands_alone,
  error_printed_text_has_other_places,
};

// A broken rule. `got` is the offending number where there is one.
struct breach {
  trace_rule rule = no_breach;
  int line = 0;
  const char* file = "";
  long long got = 0;
};

}  // namespace tilewright::diagnostics
