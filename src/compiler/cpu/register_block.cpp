// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/register_block.hpp"

#include <algorithm>
#include <numeric>

#include "compiler/cpu/element_code.hpp"

namespace tilewright::compiler {
namespace {

using values = ir::module_builder::values;

// Sums, a panel's row and one broadcast element must fit the registers: 32 with AVX-512, else 16.
int most_rows(int vector_bytes) { return vector_bytes == 64 ? 14 : 6; }

ir::value first_lanes(ir::module_builder& code, ir::value v, int count) {
  if (count == 1) return code.lane(v, 0);
  std::vector<int> order(at(count));
  std::iota(order.begin(), order.end(), 0);
  return code.shuffle(v, v, order);
}

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

void register_block::emit_rows(int rows, ir::value first_row, ir::value panel, ir::value first_column,
                               std::int64_t panel_columns) {
  ir::module_builder& code = state.code;
  const int size = info(element).size_bytes, width = registers();
  const ir::type vector{register_type(element), lanes};
  const ir::value left_rows = code.offset(left, code.multiply_index(first_row, state.number(left_row_bytes)));
  const ir::value sum_place = code.add_index(code.multiply_index(first_row, state.number(columns)), first_column);
  const ir::value sums = code.offset(sum, code.multiply_index(sum_place, state.number(size)));

  const auto lanes_in = [&](int n) {  // of register n that are columns of the product
    return static_cast<int>(std::clamp<std::int64_t>(panel_columns - n * lanes, 0, lanes));
  };
  const auto sum_address = [&](int row, int n) {
    return code.offset(sums, (row * columns + static_cast<std::int64_t>(n) * lanes) * size);
  };
  values totals;
  for (int row = 0; row < rows; ++row) {
    for (int n = 0; n < width; ++n) {
      if (starts_at_zero || lanes_in(n) == 0) {
        totals.push_back(is_floating(element) ? code.floating(vector, 0) : code.integer(vector, 0));
      } else {
        totals.push_back(widened_to(code, code.load({vector.scalar, lanes_in(n)}, sum_address(row, n), size), lanes));
      }
    }
  }
  totals = code.loop(state.number(0), state.number(depth), 1, totals, [&](ir::value k, const values& carried) {
    const ir::value row_of_panel = code.offset(panel, code.multiply_index(k, state.number(panel_lanes * size)));
    const ir::value column_of_left = code.offset(left_rows, code.multiply_index(k, state.number(left_step_bytes)));
    values right;
    for (int n = 0; n < width; ++n) {
      right.push_back(code.load(vector, code.offset(row_of_panel, std::int64_t{n} * lanes * size), lanes * size));
    }
    values next;
    for (int row = 0; row < rows; ++row) {
      const ir::value a =
          code.broadcast(code.load({vector.scalar, 1}, code.offset(column_of_left, row * left_row_bytes), size), lanes);
      for (int n = 0; n < width; ++n) next.push_back(accumulated(a, right[at(n)], carried[at(row * width + n)]));
    }
    return next;
  });
  for (int row = 0; row < rows; ++row) {
    for (int n = 0; n < width; ++n) {
      if (lanes_in(n) == 0) continue;
      const ir::value total = totals[at(row * width + n)];
      code.store(lanes_in(n) == lanes ? total : first_lanes(code, total, lanes_in(n)), sum_address(row, n), size);
    }
  }
}

}  // namespace tilewright::compiler
