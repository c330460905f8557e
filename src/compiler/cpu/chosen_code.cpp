// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/chosen_code.hpp"

#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/fault_code.hpp"
#include "compiler/element_access.hpp"

namespace tilewright::compiler {
namespace {

ir::value operand_at(kernel_state& state, value_id id, const position& place) {
  return element_at(state, id, broadcast_place(state, state.type(id), place));
}

ir::value index_at(kernel_state& state, value_id id, const position& place) {
  const std::array<ir::value, 1> operands{operand_at(state, id, place)};
  const dtype element = state.type(id).element;
  return element == dtype::index ? operands[0] : element_op(state.code, ast::op::cast, dtype::i64, element, operands);
}

ir::value repeated(kernel_state& state, ir::value element, int lanes) {
  return state.code.type_of(element).lanes == lanes ? element : state.code.broadcast(element, lanes);
}

ir::value both(kernel_state& state, ir::value mask, ir::value other) {
  return mask ? state.code.bit_and(mask, other) : other;
}

bool is_uniform(kernel_state& state, const instruction& i, const position& place) {
  for (const value_id id : i.operands) {
    const value_type& type = state.type(id);
    if (type.rank != 0 && !broadcast_place(state, type, place).is_uniform(type.rank)) return false;
  }
  return true;
}

}  // namespace

tensor_lanes chosen_lanes(kernel_state& state, const instruction& i, const position& place, int lanes) {
  ir::module_builder& code = state.code;
  const int rank = state.source.parameters[at(i.attributes[0])].rank;
  const tensor_window window = window_of(state, i, {});
  tensor_lanes result{.address = window.address, .byte_offsets = {}, .mask = {}, .any = {}};
  std::vector<ir::value> indices;
  for (int axis = 0; axis < rank; ++axis) {
    const ir::value index = index_at(state, i.operands[first_index(i) + at(axis)], place);
    indices.push_back(repeated(state, index, lanes));
  }
  if (mask_of(i) != no_value) result.mask = repeated(state, operand_at(state, mask_of(i), place), lanes);
  for (const std::int32_t check : i.residual_checks) {
    const ir::value index = indices[at(state.source.residual_checks[at(check)].axis)];
    const ir::value inside = check_elements(state, i, check, index, result.mask);
    result.mask = both(state, result.mask, inside);
  }
  const ir::value nowhere = code.integer({ir::scalar_type::i64, lanes}, 0);
  for (int axis = 0; axis < rank; ++axis) {
    ir::value steps = code.multiply(indices[at(axis)], repeated(state, window.strides[at(axis)], lanes));
    if (result.mask) steps = code.select(result.mask, steps, nowhere);
    result.byte_offsets = axis == 0 ? steps : code.add(result.byte_offsets, steps);
  }
  return result;
}

ir::value gathered_elements(kernel_state& state, const instruction& i, const position& place) {
  ir::module_builder& code = state.code;
  const dtype element = state.type(i.results[0]).element;
  const int count = is_uniform(state, i, place) ? 1 : place.lanes;
  const tensor_lanes lanes = chosen_lanes(state, i, place, count);
  const ir::type loaded{memory_type(element), count};
  if (count > 1) {
    return from_memory(code, element,
                       code.gather(loaded, lanes.address, lanes.byte_offsets, lanes.mask, ir::memory::input));
  }
  const ir::value address = code.offset(lanes.address, lanes.byte_offsets);
  if (!lanes.mask) {
    return from_memory(code, element, code.load(loaded, address, info(element).size_bytes, ir::memory::input));
  }
  const ir::value safe = code.select(lanes.mask, address, code.parameters());  // memory that may always be read
  const ir::value zero = is_float(loaded.scalar) ? code.floating(loaded, 0) : code.integer(loaded, 0);
  return from_memory(code, element, code.select(lanes.mask, code.load(loaded, safe, 1), zero));
}

}  // namespace tilewright::compiler
