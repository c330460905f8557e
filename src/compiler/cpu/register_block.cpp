// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/register_block.hpp"

#include <algorithm>
#include <numeric>

#include "compiler/cpu/element_code.hpp"

namespace tilewright::compiler {
namespace {

// Sums, a panel's row and one broadcast element must fit the registers: 32 with AVX-512, else 16.
int most_rows(int vector_bytes) { return vector_bytes == 64 ? 14 : 6; }

ir::value widened_to(ir::module_builder& code, ir::value v, int lanes) {
  if (code.type_of(v).lanes == lanes) return v;
  if (code.type_of(v).lanes == 1) return code.broadcast(v, lanes);
  std::vector<int> order(at(lanes), -1);
  std::iota(order.begin(), order.begin() + code.type_of(v).lanes, 0);
  return code.shuffle(v, v, order);
}

}  // namespace

void register_block::emit(std::int64_t rows) {
  const std::int64_t full = columns / panel_lanes;
  if (full == 1) emit_panel(rows, state.number(0), panel_lanes);
  if (full > 1) {
    state.code.loop(state.number(0), state.number(full), 1, [&](ir::value p) { emit_panel(rows, p, panel_lanes); });
  }
  if (columns % panel_lanes != 0) emit_panel(rows, state.number(full), columns % panel_lanes);
}

void register_block::emit_panel(std::int64_t rows, ir::value panel_number, std::int64_t panel_columns) {
  ir::module_builder& code = state.code;
  const std::int64_t panel_bytes = depth * panel_lanes * info(element).size_bytes;
  const ir::value panel = code.offset(panels, code.multiply_index(panel_number, state.number(panel_bytes)));
  const ir::value first_column = code.multiply_index(panel_number, state.number(panel_lanes));
  // Blocks of nearly equal height, so that the last one is not a small rest.
  const std::int64_t most = most_rows(state.vector_bytes), blocks = (rows + most - 1) / most;
  const std::int64_t height = (rows + blocks - 1) / blocks, full = rows / height;
  const auto run = [&](std::int64_t count, ir::value first_row) {
    emit_rows(static_cast<int>(count), first_row, panel, first_column, panel_columns);
  };
  if (full == 1) run(height, state.number(0));
  if (full > 1) {
    code.loop(state.number(0), state.number(full * height), height, [&](ir::value row) { run(height, row); });
  }
  if (rows % height != 0) run(rows % height, state.number(full * height));
}

ir::value register_block::accumulated(ir::value a, ir::value b, ir::value total) {
  if (is_floating(element)) return state.code.fma(a, b, total);
  return state.code.add(total, state.code.multiply(a, b));
}

int register_block::columns_in(int n, std::int64_t panel_columns) const {
  return static_cast<int>(std::clamp<std::int64_t>(panel_columns - n * lanes, 0, lanes));
}

ir::value register_block::sum_address(ir::value sums, int row, int n) {
  const std::int64_t elements = row * columns + static_cast<std::int64_t>(n) * lanes;
  return state.code.offset(sums, elements * info(element).size_bytes);
}

register_block::values register_block::first_totals(int rows, ir::value sums, std::int64_t panel_columns) {
  ir::module_builder& code = state.code;
  const ir::type vector{register_type(element), lanes};
  const ir::value zero = is_floating(element) ? code.floating(vector, 0) : code.integer(vector, 0);
  values totals;
  for (int row = 0; row < rows; ++row) {
    for (int n = 0; n < registers(); ++n) {
      const int count = columns_in(n, panel_columns);
      if (starts_at_zero || count == 0) {
        totals.push_back(zero);
        continue;
      }
      const ir::value known = code.load({vector.scalar, count}, sum_address(sums, row, n), info(element).size_bytes);
      totals.push_back(widened_to(code, known, lanes));
    }
  }
  return totals;
}

register_block::values register_block::next_totals(int rows, ir::value left_rows, ir::value panel, ir::value k,
                                                   const values& totals) {
  ir::module_builder& code = state.code;
  const int size = info(element).size_bytes;
  const ir::scalar_type scalar = register_type(element);
  const ir::value row_of_panel = code.offset(panel, code.multiply_index(k, state.number(panel_lanes * size)));
  const ir::value column_of_left = code.offset(left_rows, code.multiply_index(k, state.number(left_step_bytes)));
  values right;
  for (int n = 0; n < registers(); ++n) {
    right.push_back(
        code.load({scalar, lanes}, code.offset(row_of_panel, std::int64_t{n} * lanes * size), lanes * size));
  }
  values next;
  for (int row = 0; row < rows; ++row) {
    const ir::value one = code.load({scalar, 1}, code.offset(column_of_left, row * left_row_bytes), size);
    const ir::value a = code.broadcast(one, lanes);
    for (int n = 0; n < registers(); ++n)
      next.push_back(accumulated(a, right[at(n)], totals[at(row * registers() + n)]));
  }
  return next;
}

void register_block::store_totals(int rows, ir::value sums, std::int64_t panel_columns, const values& totals) {
  ir::module_builder& code = state.code;
  for (int row = 0; row < rows; ++row) {
    for (int n = 0; n < registers(); ++n) {
      const int count = columns_in(n, panel_columns);
      if (count == 0) continue;
      const ir::value total = totals[at(row * registers() + n)];
      code.store(count == lanes ? total : code.lanes(total, 0, count), sum_address(sums, row, n),
                 info(element).size_bytes);
    }
  }
}

void register_block::emit_rows(int rows, ir::value first_row, ir::value panel, ir::value first_column,
                               std::int64_t panel_columns) {
  ir::module_builder& code = state.code;
  const ir::value left_rows = code.offset(left, code.multiply_index(first_row, state.number(left_row_bytes)));
  const ir::value sum_place = code.add_index(code.multiply_index(first_row, state.number(columns)), first_column);
  const ir::value sums = code.offset(sum, code.multiply_index(sum_place, state.number(info(element).size_bytes)));
  const values totals =
      code.loop(state.number(0), state.number(depth), 1, first_totals(rows, sums, panel_columns),
                [&](ir::value k, const values& carried) { return next_totals(rows, left_rows, panel, k, carried); });
  store_totals(rows, sums, panel_columns, totals);
}

}  // namespace tilewright::compiler
