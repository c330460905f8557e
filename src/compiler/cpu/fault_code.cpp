// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/fault_code.hpp"

#include <cstddef>

#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/elements.hpp"
#include "compiler/tile_access.hpp"
#include "tilewright/compiler/fault_status.hpp"

namespace tilewright::compiler {
namespace {

constexpr ir::type i64_type{ir::scalar_type::i64, 1};

const residual_check* find(const kernel_state& state, std::int32_t check, residual_check::kind what) {
  const residual_check& rule = state.source.residual_checks[at(check)];
  return rule.what == what ? &rule : nullptr;
}

ir::value extent_of(kernel_state& state, const instruction& i, std::int64_t axis) {
  return state.code.load(i64_type, parameter_word(state, i.attributes[0], 1 + axis), 8, ir::memory::input);
}

// Of one lane, in row-major order.
ir::value ordinal_of(kernel_state& state, const value_type& type, const position& place, int lane) {
  ir::value ordinal = state.number(0);
  for (int axis = 0; axis < type.rank; ++axis) {
    const coordinate& here = place.axes[at(axis)];
    const ir::value along = state.code.add_index(here.base, state.number(here.lane_step * lane));
    ordinal = state.code.add_index(state.code.multiply_index(ordinal, state.number(type.extents[at(axis)])), along);
  }
  return ordinal;
}

// Of a hoisted check: as many as are allowed.
ir::value tiles_of(kernel_state& state, const instruction& i, std::int32_t check) {
  const ir::value extent = extent_of(state, i, state.source.residual_checks[at(check)].axis);
  const ir::value above = state.code.add_index(extent, state.number(i.attributes[1] - 1));
  return state.code.unsigned_divide(above, state.number(i.attributes[1]));
}

ir::value before(kernel_state& state, ir::value count) { return state.code.subtract(count, state.number(1)); }

// 0 <= got < count, as one comparison: a negative number is a huge one without a sign.
ir::value check_within(kernel_state& state, std::int32_t check, ir::value got, ir::value count) {
  const ir::value holds = state.code.compare_integers(ir::compare::unsigned_less, got, count);
  report_where(state, state.code.bit_not(holds), check, got, state.number(0), before(state, count));
  return holds;
}

}  // namespace

void report_where(kernel_state& state, ir::value fails, std::int32_t check, ir::value got, ir::value least,
                  ir::value greatest) {
  ir::module_builder& code = state.code;
  code.branch_rarely(fails, [&] {
    const ir::value faults = code.faults();
    const ir::value is_first = code.replace_once(faults, fault_status::none, fault_status::claimed);
    code.branch(is_first, [&] {
      const auto offset_of_check = static_cast<std::int64_t>(offsetof(fault_status, check));
      code.store(code.integer({ir::scalar_type::i32, 1}, check), code.offset(faults, offset_of_check), 4);
      auto place = static_cast<std::int64_t>(offsetof(fault_status, values));
      for (const ir::value word : {got, least, greatest}) {
        code.store(word ? word : state.number(0), code.offset(faults, place), 8);
        place += 8;
      }
      code.publish(faults, fault_status::written);
    });
  });
}

ir::value check_tile_indices(kernel_state& state, const instruction& i, const std::array<ir::value, max_rank>& tile) {
  ir::value all;
  for (const std::int32_t check : i.residual_checks) {
    const residual_check* rule = find(state, check, residual_check::kind::tile_index);
    if (rule == nullptr) continue;
    const std::int64_t step = tile_step(state.source, i, at(rule->axis));
    const ir::value above = state.code.add_index(extent_of(state, i, rule->axis), state.number(step - 1));
    const ir::value tiles = state.code.unsigned_divide(above, state.number(step));
    const ir::value holds = check_within(state, check, tile[at(rule->axis)], tiles);
    all = all ? state.code.bit_and(all, holds) : holds;
  }
  return all;
}

void check_rows(kernel_state& state, const instruction& i) {
  for (const std::int32_t check : i.residual_checks) {
    if (find(state, check, residual_check::kind::row_index) == nullptr) continue;
    const ir::value rows = extent_of(state, i, 0);
    for_each(state, state.type(i.results[0]).extents[0], [&](const coordinate& here) {
      position place = first_place(state);
      place.axes[0] = here;
      (void)check_within(state, check, row_number(state, i.operands[0], place), rows);
    });
  }
}

ir::value check_elements(kernel_state& state, const instruction& i, std::int32_t check, ir::value index,
                         ir::value mask) {
  ir::module_builder& code = state.code;
  const int lanes = code.type_of(index).lanes;
  const ir::value extent = extent_of(state, i, state.source.residual_checks[at(check)].axis);
  const ir::value inside =
      code.compare_integers(ir::compare::unsigned_less, index, lanes == 1 ? extent : code.broadcast(extent, lanes));
  ir::value fails = code.bit_not(inside);
  if (mask) fails = code.bit_and(fails, mask);
  code.branch_rarely(code.any_lane(fails), [&] {
    ir::value got = index;
    for (int lane = lanes - 1; lanes > 1 && lane >= 0; --lane) {  // the first lane that fails
      const ir::value here = code.lane(index, lane);
      got = lane == lanes - 1 ? here : code.select(code.lane(fails, lane), here, got);
    }
    report_where(state, code.any_lane(fails), check, got, state.number(0), before(state, extent));
  });
  return inside;
}

void check_divisor(kernel_state& state, const instruction& i, ir::value divisor) {
  ir::module_builder& code = state.code;
  for (const std::int32_t check : i.residual_checks) {
    if (find(state, check, residual_check::kind::divisor) == nullptr) continue;
    const ir::value zero = code.integer(code.type_of(divisor), 0);
    const ir::value fails = code.any_lane(code.compare_integers(ir::compare::equal, divisor, zero));
    report_where(state, fails, check, state.number(0), {}, {});
  }
}

// Tells the first lane of the first vector that fails: its place, or what a check before a loop has for it.
void check_assertion(kernel_state& state, const instruction& i) {
  ir::module_builder& code = state.code;
  const value_id condition = i.operands[0];
  const value_type& type = state.type(condition);
  const std::int32_t check = i.residual_checks[0];
  const bool is_told = i.operands.size() > 1;
  const ir::value greatest = is_told && !i.attributes.empty() ? before(state, tiles_of(state, i, check)) : ir::value{};
  if (type.rank == 0) {
    const ir::value got = is_told ? state.scalars[at(i.operands[1])] : state.number(0);
    return report_where(state, code.bit_not(state.scalars[at(condition)]), check, got, {}, greatest);
  }
  for_each_vector(state, type, state.plan.lanes, [&](const position& place) {
    const ir::value fails = code.bit_not(vector_at(state, condition, place));
    code.branch_rarely(code.any_lane(fails), [&] {
      for (int lane = 0; lane < place.lanes; ++lane) {
        const ir::value one = place.lanes == 1 ? fails : code.lane(fails, lane);
        ir::value got = is_told ? vector_at(state, i.operands[1], place) : ordinal_of(state, type, place, lane);
        if (is_told && place.lanes > 1) got = code.lane(got, lane);
        report_where(state, one, check, got, {}, greatest);
      }
    });
  });
}

// Strides of 0 keep all lanes on the first row; along axes with a stride of 1 lanes go on, so that the zeros have to
// be that long. Vectors may reach past the last lane.
void clear_unless(kernel_state& state, ir::value holds, const value_type& shape, tensor_window& window) {
  constexpr std::int64_t slack_bytes = 256;
  ir::module_builder& code = state.code;
  std::int64_t elements = 1;
  for (int axis = 0; axis < shape.rank; ++axis) {
    const std::int64_t extent = shape.extents[at(axis)];
    if (window.unit[at(axis)]) {
      elements += extent - 1;
    } else {
      window.strides[at(axis)] = code.select(holds, window.strides[at(axis)], state.number(0));
    }
    ir::value& limit = window.limits[at(axis)];
    if (limit) limit = code.select(holds, limit, state.number(extent));
  }
  const ir::value zeros = code.zeros(elements * info(shape.element).size_bytes + slack_bytes);
  window.address = code.select(holds, window.address, zeros);
}

}  // namespace tilewright::compiler
