// SPDX-License-Identifier: Apache-2.0
// NVIDIA's assembler (13.4.92) loads a small tile, of no more elements than a block has threads, a second time where it
// is needed in another layout: after a store, too, that waits for the load's token, and whatever the load's memory
// order. What a scan gives is not made again, and along an axis of one element a scan changes nothing.
#include "compiler/tileir/loaded_once.hpp"

namespace tilewright::compiler::tileir {
namespace {

constexpr std::int64_t most_threads = 512;  // of a block

bool is_small(const tile_shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count <= most_threads;
}

type_tag integer_as_wide(type_tag element) {
  switch (bits_of(element)) {
    case 8:
      return type_tag::i8;
    case 16:
      return type_tag::i16;
    case 32:
      return type_tag::i32;
    default:
      return type_tag::i64;
  }
}

// Bits, of which the later one stays: sums of floats would quiet a NaN.
code_value scanned(kernel_state& state, const code_value& x, std::size_t axis) {
  const type_id scalar = state.ids.tile(x.element);
  attribute zero;
  zero.tag = attribute_tag::integer;
  zero.of_type = state.ids.number(x.element);
  operation made;
  made.code = opcode::scan;
  made.fields = {axis, 0};
  made.attributes = {zero};
  made.operands = {x.number};
  const std::vector<value_number> pair = state.code.open_region({scalar, scalar});
  state.code.terminate(opcode::yield, {pair[1]});
  made.regions = {state.code.close_region()};
  made.results = {state.ids.tile(x.element, x.shape)};
  return {state.code.append(std::move(made)), x.element, x.shape};
}

}  // namespace

code_value loaded_once(kernel_state& state, const code_value& x) {
  if (!is_small(x.shape)) return x;
  const type_tag bits = integer_as_wide(x.element);
  const bool is_whole = bits == x.element;
  tile_shape lines = x.shape;
  lines.push_back(1);
  code_value kept = is_whole ? x : state.code.tile_op(opcode::bitcast, bits, x.shape, {x.number});
  kept = scanned(state, state.code.reshape(kept, lines), x.shape.size());
  kept = state.code.reshape(kept, x.shape);
  return is_whole ? kept : state.code.tile_op(opcode::bitcast, x.element, x.shape, {kept.number});
}

}  // namespace tilewright::compiler::tileir
