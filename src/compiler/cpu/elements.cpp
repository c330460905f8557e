// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/elements.hpp"

#include <numeric>

#include "compiler/constant_bits.hpp"
#include "compiler/cpu/chosen_code.hpp"
#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/fault_code.hpp"
#include "compiler/cpu/reshape_map.hpp"
#include "compiler/tile_access.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

bool same_place(const position& a, const position& b, int rank) {
  if (a.lanes != b.lanes) return false;
  for (int axis = 0; axis < rank; ++axis) {
    if (!(a.axes[at(axis)] == b.axes[at(axis)])) return false;
  }
  return true;
}

ir::value lanes_joined(kernel_state& state, std::span<const ir::value> elements) {
  const ir::type lane = state.code.type_of(elements[0]);
  ir::value result = state.code.undefined({lane.scalar, static_cast<int>(elements.size())});
  for (std::size_t n = 0; n < elements.size(); ++n) {
    result = state.code.with_lane(result, elements[n], static_cast<int>(n));
  }
  return result;
}

// Lane by lane: for places without a common step.
template <class ElementOfLane>
ir::value lane_by_lane(kernel_state& state, int lanes, ElementOfLane element_of_lane) {
  std::vector<ir::value> elements;
  for (int lane = 0; lane < lanes; ++lane) elements.push_back(element_of_lane(lane));
  return lanes_joined(state, elements);
}

position lane_place(kernel_state& state, const position& place, int rank, int lane) {
  position result = place;
  result.lanes = 1;
  for (int axis = 0; axis < rank; ++axis) {
    coordinate& here = result.axes[at(axis)];
    if (here.lane_step == 0) continue;
    here = {state.code.add_index(here.base, state.number(here.lane_step * lane)), 0, 1};
  }
  return result;
}

ir::value reshaped(kernel_state& state, value_id operand, const value_type& result, const position& place) {
  const reshape_map map(state.type(operand), result);
  const auto source = map.source_of(state.code, place);
  if (source.is_vector) return element_at(state, operand, source.place);
  return lane_by_lane(state, place.lanes, [&](int lane) {
    const position here = lane_place(state, place, result.rank, lane);
    return element_at(state, operand, map.source_of(state.code, here).place);
  });
}

position permuted(const instruction& i, const position& place, int rank) {
  position source = place;
  for (int axis = 0; axis < rank; ++axis) {
    source.axes[at((i.attributes[0] >> (4 * axis)) & 0xf)] = place.axes[at(axis)];
  }
  return source;
}

position extracted(kernel_state& state, const instruction& i, const value_type& result, const position& place) {
  position source = place;
  for (int axis = 0; axis < result.rank; ++axis) {
    const std::int64_t start = i.attributes[at(axis)] * result.extents[at(axis)];
    coordinate& here = source.axes[at(axis)];
    here.base = state.code.add_index(here.base, state.number(start));
    here.divisor = std::gcd(here.divisor, start);
  }
  return source;
}

ir::value iota_at(kernel_state& state, const instruction& i, const value_type& type, const position& place) {
  const coordinate& here = place.axes[at(i.attributes[0])];
  const ir::scalar_type element = register_type(type.element);
  const auto resized = [&](ir::value v) {
    return element == ir::scalar_type::i64 ? v : state.code.truncate(v, element);
  };
  ir::value first = resized(here.base);
  if (here.lane_step == 0) return first;
  const ir::type lanes{element, place.lanes};
  ir::value steps = state.code.lane_numbers(lanes);
  if (here.lane_step != 1) steps = state.code.multiply(steps, state.code.integer(lanes, here.lane_step));
  return state.code.add(state.code.broadcast(first, place.lanes), steps);
}

// Its rows operand says which row. One that the kernel checks may be outside the tensor: it gives 0.
ir::value gathered_row(kernel_state& state, const instruction& i, const value_type& type, const position& place) {
  ir::module_builder& code = state.code;
  if (place.axes[0].lane_step != 0) {
    return lane_by_lane(state, place.lanes, [&](int lane) {
      return gathered_row(state, i, type, lane_place(state, place, type.rank, lane));
    });
  }
  const ir::value row = row_number(state, i.operands[0], place);
  tensor_window window = state.windows[at(i.results[0])];
  position source = place;
  source.axes[0] = {row, 0, 1};
  if (!is_masked(state.source, i, 0)) return load_from_tensor(state, window, type, source, {});
  const ir::value extent =
      code.load({ir::scalar_type::i64, 1}, parameter_word(state, i.attributes[0], 1), 8, ir::memory::input);
  const ir::value is_inside = code.compare_integers(ir::compare::unsigned_less, row, extent);
  source.axes[0].base = code.select(is_inside, row, state.number(0));
  window.limits[0] = code.select(is_inside, extent, state.number(0));
  return load_from_tensor(state, window, type, source, {});
}

ir::value padding_of(kernel_state& state, const instruction& i) {
  return i.attributes[1] != 0 ? state.scalars[at(i.operands.back())] : ir::value();
}

ir::value computed(kernel_state& state, const instruction& i, const value_type& type, const position& place) {
  std::vector<ir::value> operands;
  bool is_uniform = true;
  for (const value_id id : i.operands) {
    operands.push_back(element_at(state, id, broadcast_place(state, state.type(id), place)));
    is_uniform = is_uniform && state.code.type_of(operands.back()).lanes == 1;
  }
  for (ir::value& operand : operands) {
    if (!is_uniform && state.code.type_of(operand).lanes == 1) operand = state.code.broadcast(operand, place.lanes);
  }
  if (!i.residual_checks.empty()) check_divisor(state, i, operands[1]);
  return element_op(state.code, i, type.element, state.type(i.operands.back()).element, operands);
}

ir::value element_of_table(kernel_state& state, const instruction& i, const value_type& type, const position& place) {
  ir::value& start = state.tables[at(i.results[0])];
  if (!start) start = state.code.constants(element_bytes(i.attributes, type.element));
  return load_dense(state, type, start, place);
}

ir::value fused_at(kernel_state& state, const instruction& i, const value_type& type, const position& place) {
  switch (i.op) {
    case op::constant:
      return constant_element(state.code, type.element, i.attributes[0], 1);
    case op::table:
      return element_of_table(state, i, type, place);
    case op::iota:
      return iota_at(state, i, type, place);
    case op::load:
    case op::load_window:
      return load_from_tensor(state, state.windows[at(i.results[0])], type, place, padding_of(state, i));
    case op::gather_rows:
      return gathered_row(state, i, type, place);
    case op::gather:
      return gathered_elements(state, i, place);
    case op::permute:
      return element_at(state, i.operands[0], permuted(i, place, type.rank));
    case op::broadcast:
      return element_at(state, i.operands[0], broadcast_place(state, state.type(i.operands[0]), place));
    case op::extract:
      return element_at(state, i.operands[0], extracted(state, i, type, place));
    case op::reshape:
      return reshaped(state, i.operands[0], type, place);
    default:
      return computed(state, i, type, place);
  }
}

}  // namespace

position broadcast_place(kernel_state& state, const value_type& operand, const position& place) {
  position result = place;
  for (int axis = 0; axis < operand.rank; ++axis) {
    if (operand.extents[at(axis)] == 1) result.axes[at(axis)] = {state.number(0), 0, 0};
  }
  return result;
}

ir::value row_number(kernel_state& state, value_id rows, const position& place) {
  position row_place = place;
  row_place.axes[1] = {state.number(0), 0, 0};
  row_place.lanes = 1;
  const std::array<ir::value, 1> operands{element_at(state, rows, row_place)};
  const dtype element = state.type(rows).element;
  return element == dtype::index ? operands[0] : element_op(state.code, op::cast, dtype::i64, element, operands);
}

ir::value element_at(kernel_state& state, value_id id, const position& place) {
  const value_type& type = state.type(id);
  if (type.rank == 0) return state.scalars[at(id)];
  position here = place;
  if (place.is_uniform(type.rank)) here.lanes = 1;
  for (auto known = state.remembered.rbegin(); known != state.remembered.rend(); ++known) {
    if (known->id == id && same_place(known->place, here, type.rank)) return known->element;
  }
  const ir::value element = state.home(id) == value_home::stored
                                ? load_stored(state, type, state.offsets[at(id)], here)
                                : fused_at(state, *state.plan.definition(id), type, here);
  state.remembered.push_back({id, here, element});
  return element;
}

ir::value vector_at(kernel_state& state, value_id id, const position& place) {
  const ir::value element = element_at(state, id, place);
  return state.code.type_of(element).lanes == place.lanes ? element : state.code.broadcast(element, place.lanes);
}

ir::value computed_vector_at(kernel_state& state, value_id id, const position& place) {
  const value_type& type = state.type(id);
  position here = place;
  if (place.is_uniform(type.rank)) here.lanes = 1;
  const ir::value element = fused_at(state, *state.plan.definition(id), type, here);
  return state.code.type_of(element).lanes == place.lanes ? element : state.code.broadcast(element, place.lanes);
}

void remember_uniform(kernel_state& state, value_id id, const position& place, int vector_axis) {
  const value_type& type = state.type(id);
  if (type.rank == 0) return;
  if (type.extents[at(vector_axis)] == 1) {
    (void)element_at(state, id, broadcast_place(state, type, place));
  } else if (state.home(id) == value_home::fused) {
    remember_uniform_operands(state, *state.plan.definition(id), place, vector_axis);
  }
}

void remember_uniform_operands(kernel_state& state, const instruction& i, const position& place, int vector_axis) {
  switch (i.op) {
    case op::permute:
    case op::reshape:
    case op::extract:
    case op::gather_rows:
    case op::load:
    case op::load_window:
      return;  // their operands have other axes, or none
    default:
      break;
  }
  for (const value_id id : i.operands) {
    position same = place;
    for (int axis = 0; axis < state.type(id).rank; ++axis) {
      const bool repeats = state.type(id).extents[at(axis)] == 1 && axis != vector_axis;
      if (repeats) same.axes[at(axis)] = {state.number(0), 0, 0};
    }
    remember_uniform(state, id, same, vector_axis);
  }
}

}  // namespace tilewright::compiler
