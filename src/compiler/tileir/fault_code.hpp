// SPDX-License-Identifier: Apache-2.0
// Residual checks in a kernel for GPUs. What fails is replaced by something harmless and noted in state.fault, so that
// the flow of data stays as it is without checks; a branch at the end of a block writes the launch's fault_status.
#pragma once

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {

// Tile index `operand` of a load or gather_rows, along `axis` of its tensor, or that of the nearest tile where its
// check fails, and whether it does; nothing if it is not checked. A load gives the nearest tile then: zeros would take
// it through registers, out of the way of matrix units (ADR 19).
struct checked_tile {
  code_value index, fails;
};
std::optional<checked_tile> check_tile(kernel_state& state, const instruction& i, std::size_t operand,
                                       std::size_t axis);

// Rows of gather_rows: their numbers as i64, with 0 in place of those outside, and which lanes those are; no lanes if
// nothing is checked.
struct checked_rows {
  code_value rows;
  std::optional<code_value> outside;
};
checked_rows check_rows(kernel_state& state, const instruction& i);

// Which lanes of an index (i64) of gather or combine_at lie within the tensor; the check counts lanes of `real` only.
code_value check_elements(kernel_state& state, const instruction& i, std::size_t operand, const code_value& index,
                          const std::optional<code_value>& real);

void check_divisor(kernel_state& state, const instruction& i);
void check_assertion(kernel_state& state, const instruction& i);

// Around the body of a block, in a kernel with checks.
void start_faults(kernel_state& state);
void report_faults(kernel_state& state);

bool has_checks(const instruction& i);  // itself or inside

}  // namespace tilewright::compiler::tileir
