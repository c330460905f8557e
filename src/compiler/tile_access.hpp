// SPDX-License-Identifier: Apache-2.0
// Where the tiles of a tensor begin that loads and stores name by an index on each axis, and which of their axes need a
// mask.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// From the beginning of one tile to that of the next: in elements, on an axis of the tile that is read or written.
inline std::int64_t tile_step(const program& source, const instruction& access, std::size_t axis) {
  if (access.op == ast::op::load_window) return access.attributes[2 + axis];
  const value_id tile = access.results.empty() ? access.operands[0] : access.results[0];
  return source.values[static_cast<std::size_t>(tile)].extents[axis];
}

// As many elements as a load, store or combine of a tile, or gather_rows, reads or writes along an axis.
inline std::int64_t tile_extent(const program& source, const instruction& access, std::size_t axis) {
  const value_id tile = access.results.empty() ? access.operands[0] : access.results[0];
  return source.values[static_cast<std::size_t>(tile)].extents[axis];
}

// Whether no tile of the tensor reaches past it on the axis: each ends inside, and its step divides the extent. All
// back ends ask here.
inline bool holds_whole_tiles(const program& source, std::int64_t parameter, std::size_t axis) {
  return source.parameters[static_cast<std::size_t>(parameter)].facts.divides[axis];
}

// Whether the tile that is read or written may have lanes past its tensor on the axis. Facts are of a tensor, not of an
// access: a tile is taken for one that may where another one of the tensor does, but a tile of one element cannot, for
// every tile begins inside.
inline bool may_overhang(const program& source, const instruction& access, std::size_t axis) {
  if (ast::chooses_elements(access.op)) return false;
  if (access.op == ast::op::gather_rows && axis == 0) return false;  // each row is in the table, whichever it is
  // Rows are those that checked indices name; behind the last of these stands -1.
  if (access.op == ast::op::store_rows && axis == 0) return !holds_whole_tiles(source, access.attributes[1], 0);
  return tile_extent(source, access, axis) > 1 && !holds_whole_tiles(source, access.attributes[0], axis);
}

// Whether the kernel checks the access for such a rule: a lane that fails is left out.
inline bool has_check(const program& source, const instruction& access, residual_check::kind what) {
  for (const std::int32_t check : access.residual_checks) {
    if (source.residual_checks[static_cast<std::size_t>(check)].what == what) return true;
  }
  return false;
}

// Whether an access other than gather and combine_at leaves out lanes on the axis, as they may lie outside the tensor.
inline bool is_masked(const program& source, const instruction& access, std::size_t axis) {
  if (access.op == ast::op::gather_rows && axis == 0) {
    return has_check(source, access, residual_check::kind::row_index);
  }
  return may_overhang(source, access, axis);
}

}  // namespace tilewright::compiler
