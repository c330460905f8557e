// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/scaled_product_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

// Tiles of code hold f4e2m1 as bytes: two are packed into each byte, and those are unpacked as the machine's own type.
code_value machine_floats(code_builder& code, const code_value& codes) {
  std::int64_t count = 1;
  for (const std::int64_t extent : codes.shape) count *= extent;
  const code_value small = code.tile_op(opcode::trunci, type_tag::i4, codes.shape, {codes.number}, {0});
  const code_value line = code.reshape(small, {count});
  const code_value bytes = code.tile_op(opcode::pack, type_tag::i8, {count / 2}, {line.number});
  const code_value floats = code.tile_op(opcode::unpack, type_tag::f4e2m1fn, {count}, {bytes.number});
  return code.reshape(floats, codes.shape);
}

// Lanes along K that rounding added hold anything: as factors 0, as scales what is finite.
code_value along_depth(kernel_state& state, value_id id, std::size_t axis) {
  return masked(state, state.get(id), state.type(id).extents[axis], axis, 0);
}

code_value factor(kernel_state& state, value_id id, std::size_t axis) {
  const code_value x = along_depth(state, id, axis);
  return state.type(id).element == dtype::f4e2m1 ? machine_floats(state.code, x) : x;
}

code_value scales(kernel_state& state, value_id id, std::size_t axis) {
  code_builder& code = state.code;
  const code_value x = along_depth(state, id, axis);
  const auto as = [&](type_tag element, const code_value& bits) {
    return code.tile_op(opcode::bitcast, element, bits.shape, {bits.number});
  };
  if (state.type(id).element == dtype::f8e8m0) return as(type_tag::f8e8m0fnu, x);
  const code_value bits = as(type_tag::i8, x);
  return as(x.element, code.both(bits, code.splat(type_tag::i8, x.shape, 0x7f)));
}

}  // namespace

void emit_scaled_product(kernel_state& state, const instruction& i) {
  const code_value left = factor(state, i.operands[0], 1), right = factor(state, i.operands[1], 0);
  const code_value left_scales = scales(state, i.operands[3], 1), right_scales = scales(state, i.operands[4], 0);
  const code_value sum = state.get(i.operands[2]);
  state.set(i.results[0],
            state.code.like_op(opcode::mmaf_scaled, sum,
                               {left.number, right.number, sum.number, left_scales.number, right_scales.number}));
}

}  // namespace tilewright::compiler::tileir
