// SPDX-License-Identifier: Apache-2.0
// The inner kernel of a matrix product: a block of rows times one packed panel, its sums in registers over the whole
// depth.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

struct register_block {
  kernel_state& state;
  dtype element;    // of all three matrices
  int lanes;        // of one register
  int panel_lanes;  // columns of a panel: one or two registers
  std::int64_t depth, columns;
  bool starts_at_zero;  // the sum's memory holds nothing yet
  ir::value left;       // element (m, k) at m * left_row_bytes + k * left_step_bytes
  std::int64_t left_row_bytes = 0, left_step_bytes = 0;
  ir::value panels;  // panel after panel, each [depth, panel_lanes]
  ir::value sum;     // [rows, columns], row-major

  void emit(std::int64_t rows);

 private:
  void emit_panel(std::int64_t rows, ir::value panel_number, std::int64_t panel_columns);
  void emit_rows(int rows, ir::value first_row, ir::value panel, ir::value first_column, std::int64_t panel_columns);
  // Totals of a block of rows, row after row, each of registers() vectors; `sums` is the place of the first one.
  using values = ir::module_builder::values;
  values first_totals(int rows, ir::value sums, std::int64_t panel_columns);
  values next_totals(int rows, ir::value left_rows, ir::value panel, ir::value k, const values& totals);
  void store_totals(int rows, ir::value sums, std::int64_t panel_columns, const values& totals);
  ir::value accumulated(ir::value a, ir::value b, ir::value total);
  ir::value sum_address(ir::value sums, int row, int n);
  int columns_in(int n, std::int64_t panel_columns) const;  // lanes of register n that are columns of the product
  int registers() const { return panel_lanes / lanes; }
};

}  // namespace tilewright::compiler
