// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/transpose.hpp"

#include "compiler/cpu/element_code.hpp"

namespace tilewright::compiler {
namespace {

using values = ir::module_builder::values;

// Transposes n x n lanes in registers: each of log2(n) rounds swaps the off-diagonal quarters of blocks of 2 `half`.
values transposed(ir::module_builder& code, values rows) {
  const int count = static_cast<int>(rows.size());
  for (int half = count / 2; half >= 1; half /= 2) {
    std::vector<int> low(at(count)), high(at(count));
    for (int lane = 0; lane < count; ++lane) {
      const bool is_upper = (lane & half) != 0;
      low[at(lane)] = is_upper ? count + lane - half : lane;
      high[at(lane)] = is_upper ? count + lane : lane + half;
    }
    values next(rows.size());
    for (int row = 0; row < count; ++row) {
      if ((row & half) != 0) continue;
      next[at(row)] = code.shuffle(rows[at(row)], rows[at(row + half)], low);
      next[at(row + half)] = code.shuffle(rows[at(row)], rows[at(row + half)], high);
    }
    rows = next;
  }
  return rows;
}

class panel_transpose {
 public:
  panel_transpose(kernel_state& state, const transposed_panels& shape, ir::value from, ir::value to)
      : state_(state),
        element_(shape.element),
        columns_(shape.columns),
        depth_(shape.depth),
        panel_lanes_(shape.panel_lanes),
        lanes_(state.vector_bytes / info(shape.element).size_bytes),
        from_(from),
        to_(to) {}

  void emit() {
    const std::int64_t whole_columns = columns_ / lanes_ * lanes_, whole_depth = depth_ / lanes_ * lanes_;
    if (whole_columns > 0 && whole_depth > 0) {
      state_.code.loop(number(0), number(whole_columns), lanes_, [&](ir::value column) {
        state_.code.loop(number(0), number(whole_depth), lanes_, [&](ir::value k) { square(column, k); });
      });
    }
    singles(0, whole_columns, whole_depth, depth_);
    singles(whole_columns, columns_, 0, depth_);
  }

 private:
  ir::value number(std::int64_t n) { return state_.number(n); }
  std::int64_t size() const { return info(element_).size_bytes; }

  ir::value source(ir::value column, ir::value k) {
    ir::module_builder& code = state_.code;
    const ir::value place = code.add_index(code.multiply_index(column, number(depth_)), k);
    return code.offset(from_, code.multiply_index(place, number(size())));
  }
  ir::value target(ir::value column, ir::value k) {
    ir::module_builder& code = state_.code;
    const ir::value panel = code.unsigned_divide(column, number(panel_lanes_));
    const ir::value lane = code.unsigned_remainder(column, number(panel_lanes_));
    ir::value place = code.add_index(code.multiply_index(panel, number(depth_)), k);
    place = code.add_index(code.multiply_index(place, number(panel_lanes_)), lane);
    return code.offset(to_, code.multiply_index(place, number(size())));
  }

  void square(ir::value column, ir::value k) {
    const ir::type vector{register_type(element_), lanes_};
    const ir::value first = source(column, k), place = target(column, k);
    values rows;
    for (int n = 0; n < lanes_; ++n) {
      rows.push_back(
          state_.code.load(vector, state_.code.offset(first, n * depth_ * size()), static_cast<int>(size())));
    }
    rows = transposed(state_.code, rows);
    for (int n = 0; n < lanes_; ++n) {
      state_.code.store(rows[at(n)], state_.code.offset(place, n * panel_lanes_ * size()),
                        static_cast<int>(lanes_ * size()));
    }
  }

  void singles(std::int64_t column_begin, std::int64_t column_end, std::int64_t k_begin, std::int64_t k_end) {
    if (column_begin == column_end || k_begin == k_end) return;
    const ir::type scalar{register_type(element_), 1};
    state_.code.loop(number(column_begin), number(column_end), 1, [&](ir::value column) {
      state_.code.loop(number(k_begin), number(k_end), 1, [&](ir::value k) {
        const ir::value element = state_.code.load(scalar, source(column, k), static_cast<int>(size()));
        state_.code.store(element, target(column, k), static_cast<int>(size()));
      });
    });
  }

  kernel_state& state_;
  dtype element_;
  std::int64_t columns_, depth_;
  int panel_lanes_, lanes_;
  ir::value from_, to_;
};

}  // namespace

void transpose_into_panels(kernel_state& state, const transposed_panels& shape, ir::value from, ir::value to) {
  panel_transpose(state, shape, from, to).emit();
}

}  // namespace tilewright::compiler
