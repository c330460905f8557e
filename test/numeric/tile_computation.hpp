// SPDX-License-Identifier: Apache-2.0
// One op on whole tiles: each operand is loaded as a tile of the array's own extents, the result is stored as one.
#pragma once

#include "support/program_builder.hpp"
#include "support/program_run.hpp"

namespace tilewright::test {

inline value_type tile_of(const host_array& array) {
  value_type type{.element = array.element(), .rank = static_cast<std::int8_t>(array.extents().size()), .extents = {}};
  for (std::size_t axis = 0; axis < array.extents().size(); ++axis) {
    type.extents[axis] = static_cast<std::int32_t>(array.extents()[axis]);
  }
  return type;
}

inline host_array compute_tile(const back_end& where, ast::op which, const value_type& result,
                               const std::vector<host_array>& operands, std::vector<std::int64_t> attributes = {}) {
  program_builder p(std::max<int>(result.rank, 1));
  std::vector<value_id> values;
  std::vector<compiler::argument> arguments;
  for (const host_array& operand : operands) {
    const std::vector<value_id> origin(operand.extents().size(), p.index(0));
    values.push_back(p.load(p.in(operand.element(), tile_of(operand).rank), tile_of(operand), origin));
    arguments.push_back(operand.argument());
  }
  const std::vector<std::int32_t> piece(result.extents.begin(), result.extents.begin() + result.rank);
  const host_array made(result.element, {piece.begin(), piece.end()});
  p.store(p.out(result.element, piece), p.value(which, result, values, std::move(attributes)));
  arguments.push_back(made.argument());
  run(p.result(), where, arguments, std::vector<index_t>(static_cast<std::size_t>(result.rank), 1));
  return made;
}

using bits_list = std::vector<std::uint64_t>;

inline host_array array_of(dtype element, const bits_list& values) {
  host_array made(element, {static_cast<index_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) made.set_bits(static_cast<index_t>(i), values[i]);
  return made;
}

// result[i] = which(operands[0][i], ...), computed in tiles of `width` elements.
inline host_array compute(const back_end& where, ast::op which, dtype result, const std::vector<host_array>& operands,
                          std::int32_t width) {
  program_builder p;
  std::vector<value_id> values;
  std::vector<compiler::argument> arguments;
  for (const host_array& operand : operands) {
    values.push_back(p.load(p.in(operand.element(), 1), type_of(operand.element(), {width})));
    arguments.push_back(operand.argument());
  }
  const host_array made(result, operands[0].extents());
  p.store(p.out(result, {width}), p.value(which, type_of(result, {width}), values));
  arguments.push_back(made.argument());
  run(p.result(), where, arguments, {(made.size() + width - 1) / width});
  return made;
}

}  // namespace tilewright::test
