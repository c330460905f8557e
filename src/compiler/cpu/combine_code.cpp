// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/combine_code.hpp"

#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/chosen_code.hpp"
#include "compiler/element_access.hpp"

namespace tilewright::compiler {
namespace {

ir::atomic atomic_of(combiner by, dtype element) {
  switch (by) {
    case combiner::sum:
      return is_floating(element) ? ir::atomic::float_add : ir::atomic::add;
    case combiner::min:
      if (is_floating(element)) return ir::atomic::float_minimum;
      return is_unsigned(element) ? ir::atomic::unsigned_minimum : ir::atomic::signed_minimum;
    case combiner::max:
      if (is_floating(element)) return ir::atomic::float_maximum;
      return is_unsigned(element) ? ir::atomic::unsigned_maximum : ir::atomic::signed_maximum;
    case combiner::bit_and:
      return ir::atomic::bit_and;
    case combiner::bit_or:
      return ir::atomic::bit_or;
    case combiner::bit_xor:
      break;
  }
  return ir::atomic::bit_xor;
}

// No processor combines vectors in one step: lane by lane, those inside the tensor.
void combine_lanes(kernel_state& state, const tensor_lanes& to, ir::value elements, int count, int size_bytes,
                   ir::atomic how) {
  ir::module_builder& code = state.code;
  const auto part = [&](ir::value of, int lane) { return count == 1 ? of : code.lane(of, lane); };
  for (int lane = 0; lane < count; ++lane) {
    const ir::value address = to.byte_offsets ? code.offset(to.address, part(to.byte_offsets, lane))
                                              : code.offset(to.address, std::int64_t{lane} * size_bytes);
    const auto combine = [&] { code.combine(how, address, part(elements, lane), size_bytes); };
    if (to.mask) {
      code.branch(part(to.mask, lane), combine);
    } else {
      combine();
    }
  }
}

}  // namespace

void emit_combine(kernel_state& state, const instruction& i) {
  const value_id combined = i.operands[0];
  const value_type& type = state.type(combined);
  const tensor_window window = window_of(state, i, state.block_ids);
  const ir::atomic how = atomic_of(state.source.parameters[at(i.attributes[0])].by, type.element);
  for_each_vector(
      state, type, state.plan.lanes,
      [&](const position& place) {
        const ir::value elements = vector_at(state, combined, place);
        const tensor_lanes to = lanes_of(state, window, type, place);
        combine_lanes(state, to, elements, place.lanes, info(type.element).size_bytes, how);
      },
      [&](const position& place) { remember_uniform(state, combined, place, vector_axis_of(type)); });
}

void emit_combine_at(kernel_state& state, const instruction& i) {
  const value_id combined = i.operands[0];
  const value_type type = lanes_of(state.source, i);
  const ir::atomic how = atomic_of(state.source.parameters[at(i.attributes[0])].by, type.element);
  for_each_vector(state, type, state.plan.lanes, [&](const position& place) {
    const ir::value elements = vector_at(state, combined, broadcast_place(state, state.type(combined), place));
    const tensor_lanes to = chosen_lanes(state, i, place, place.lanes);
    combine_lanes(state, to, elements, place.lanes, info(type.element).size_bytes, how);
  });
}

}  // namespace tilewright::compiler
