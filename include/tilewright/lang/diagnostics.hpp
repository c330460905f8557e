// SPDX-License-Identifier: Apache-2.0
// How a broken language rule is reported while C++ compiles.
// What types alone show is a static_assert inside a class template: its text is the rule, its arguments what was got.
// What only running the trace shows is a call to an undefined function named as the rule.
#pragma once

#include "tilewright/ast/recorder.hpp"

namespace tilewright::diagnostics {

// ---- Rules of the trace
void error_output_is_stored_on_one_branch_only();
void error_output_is_never_stored();
void error_break_or_return_out_of_a_traced_loop();
void error_tile_index_is_negative(long long index);
void error_loop_step_is_not_positive(long long step);
void error_axis_is_out_of_range(int axis, int rank);
void error_dim_is_not_used_by_this_kernel();
void error_dim_gets_an_extent_under_1(long long extent);
template <class Element>
void error_literal_does_not_fit_the_element(long long literal);
template <class Element>
void error_literal_does_not_fit_the_element(unsigned long long literal);
template <class Element>
void error_literal_does_not_fit_the_element(double literal);
template <class Element>
void error_literal_is_not_exact_in_the_element(long long literal);

// ---- Types as messages show them. Not every compiler prints a Dim readably, all print these.
template <char... Letters>
struct dim;
template <int Value>
struct extent;
struct any_extent;
template <class Element, class... Extents>
struct tile;

template <class T>
struct shown {
  using type = T;
};

template <class...>
inline constexpr bool always_false = false;

}  // namespace tilewright::diagnostics
