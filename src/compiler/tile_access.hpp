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

// Whether a load, store or combine of a tile leaves out lanes past its tensor on the axis: by code that asks here, or,
// of Tile IR's views without a pad, by the view. Facts are of a tensor, not of an access: a tile one element wide,
// which begins inside, is masked too where another tile of the same tensor overhangs.
inline bool is_masked(const program& source, const instruction& access, std::size_t axis) {
  if (ast::chooses_elements(access.op)) return false;                // has a mask of its own, or none
  if (access.op == ast::op::gather_rows && axis == 0) return false;  // each row is in the table, whichever it is
  return !source.parameters[static_cast<std::size_t>(access.attributes[0])].facts.divides[axis];
}

}  // namespace tilewright::compiler
