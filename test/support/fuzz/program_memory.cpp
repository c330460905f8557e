// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/program_memory.hpp"

#include <algorithm>

namespace tilewright::test {

// ---- Parameters
void program_memory::declare_parameters() {
  for (int n = 1 + below(2); n > 0; --n) {
    const int rank = one_in(10) ? 0 : 1 + below(4);
    inputs_.push_back(builder_.in(element(), rank));
  }
  inputs_.push_back(table_ = builder_.in(element(), 2));
  for (int n = 1 + below(2); n > 0; --n) {
    const dtype stored = element();
    const auto piece = shape(grid_rank_);
    outputs_.push_back(one_in(3) ? builder_.in_out(stored, piece) : builder_.out(stored, piece));
  }
  const dtype given = element();
  values_.push_back(made(op::scalar, type_of(given), {}, {builder_.scalar(given)}));
  values_.push_back(position());
}

const compiler::program_parameter& program_memory::parameter(int p) {
  return builder_.result().parameters[static_cast<std::size_t>(p)];
}

value_type program_memory::piece_type(int p) {
  const compiler::program_parameter& output = parameter(p);
  return {.element = output.element, .rank = output.rank, .extents = output.piece};
}

std::int32_t program_memory::extent_of(const std::vector<std::int32_t>& any,
                                       const std::vector<std::int32_t>& powers_of_two) {
  return pick(kind_ == extents::any ? any : powers_of_two);
}

// ---- Positions
program_memory::typed program_memory::block_id() {
  if (grid_rank_ == 0) return index(0);
  return made(op::block_id, type_of(dtype::index), {}, {below(grid_rank_)});
}

program_memory::typed program_memory::position() {
  const int p = pick(inputs_), rank = parameter(p).rank, which = below(4);
  const value_type type = type_of(dtype::index);
  if (which == 0 && grid_rank_ > 0) return made(op::block_count, type, {}, {below(grid_rank_)});
  if (which == 1 && rank > 0) return made(op::extent, type, {}, {p, below(rank)});
  return block_id();
}

program_memory::typed program_memory::some_index() {
  for (int tries = 0; tries < 6; ++tries) {
    const typed found = some();
    if (found.type.rank == 0 && found.facts.ulp == 0) return cast(found, dtype::index);
  }
  return block_id();
}

program_memory::typed program_memory::tile_index(int p, int axis, std::int32_t extent) {
  if (one_in(16)) return adapted(exact(some_tile()), type_of(dtype::index));
  const typed wild = some_index();
  const typed tiles = made(op::tiles, type_of(dtype::index), {}, {p, axis, extent});
  const typed last = made(op::subtract, tiles.type, {tiles, index(1)});
  return made(op::minimum, tiles.type, {made(op::maximum, tiles.type, {wild, index(0)}), last});
}

program_memory::typed program_memory::clamped(const typed& chosen, const typed& extent) {
  const typed last = made(op::subtract, extent.type, {extent, index(1)});
  return made(op::minimum, chosen.type, {made(op::maximum, chosen.type, {chosen, index(0)}), last});
}

program_memory::typed program_memory::extent_of_table() {
  return made(op::extent, type_of(dtype::index), {}, {table_, 0});
}

// ---- Reading
program_memory::typed program_memory::load(int p) {
  const compiler::program_parameter from = parameter(p);
  const value_type type = type_of(from.element, shape(from.rank));
  std::vector<typed> place;
  for (int axis = 0; axis < type.rank; ++axis) {
    place.push_back(tile_index(p, axis, type.extents[static_cast<std::size_t>(axis)]));
  }
  const bool is_padded = one_in(3);
  if (is_padded) place.push_back(some_constant(type_of(type.element)));
  return made(op::load, type, place, {p, is_padded ? 1 : 0});
}

program_memory::typed program_memory::load_window(int p) {
  const compiler::program_parameter from = parameter(p);
  const value_type type = type_of(from.element, shape(from.rank));
  std::vector<typed> place;
  std::vector<std::int64_t> attributes = {p, one_in(3) ? 1 : 0, 0, 0, 0, 0, 0, 0};
  for (int axis = 0; axis < type.rank; ++axis) {
    const std::int32_t extent = type.extents[static_cast<std::size_t>(axis)];
    const std::int32_t stride = one_in(3) ? extent : one_in(2) ? 1 : 1 + below(2 * extent);
    place.push_back(tile_index(p, axis, stride));
    attributes[2 + static_cast<std::size_t>(axis)] = stride;
  }
  if (attributes[1] != 0) place.push_back(some_constant(type_of(type.element)));
  return made(op::load_window, type, place, attributes);
}

program_memory::typed program_memory::gather() {
  const typed from = exact(some_tile());
  const auto rows = static_cast<std::int32_t>(std::min<std::int64_t>(from.type.elements(), 32));
  const std::int32_t columns = extent_of({1, 2, 7, 16, 33}, {1, 8, 32});
  const dtype counter = element_of(op::floor_mod);
  typed chosen = adapted(from, type_of(counter, {rows, 1}));
  if (one_in(6)) {
    chosen = constant(chosen.type, 0);
  } else if (!one_in(12)) {  // else the kernel checks the rows
    chosen = cast(chosen, dtype::index);
    chosen = clamped(chosen, extent_of_table());
  }
  const value_type type = type_of(parameter(table_).element, {rows, columns});
  return made(op::gather_rows, type, {chosen, tile_index(table_, 1, columns)}, {table_});
}

program_memory::typed program_memory::gathered_elements() {
  const int p = pick(inputs_);
  if (parameter(p).rank == 0) return gather();
  const value_type lanes = some_tile().type;
  const bool is_masked = one_in(2);
  const std::vector<typed> operands = chosen_elements(p, lanes, is_masked);
  return made(op::gather, with_element(lanes, parameter(p).element), operands, {p, is_masked ? 1 : 0});
}

std::vector<program_memory::typed> program_memory::chosen_elements(int p, const value_type& lanes, bool is_masked) {
  std::vector<typed> operands;
  for (int axis = 0; axis < parameter(p).rank; ++axis) {
    const value_type index = with_element(lanes, element_of(op::floor_mod));
    typed chosen = cast(adapted(exact(some()), index), dtype::index);
    if (axis > 0 || !one_in(12)) chosen = clamped(chosen, made(op::extent, type_of(dtype::index), {}, {p, axis}));
    operands.push_back(chosen);
  }
  if (is_masked) operands.push_back(adapted(exact(some()), with_element(lanes, dtype::boolean)));
  return operands;
}

program_memory::typed program_memory::piece(int p, const value_type& type) {
  return made(op::load_piece, type, {}, {p});
}

}  // namespace tilewright::test
