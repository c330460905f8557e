// SPDX-License-Identifier: Apache-2.0
// Where the tiles of a tensor begin that loads and stores name by an index on each axis.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// From the beginning of one tile to that of the next: in elements, on an axis of the tile that is read or written.
inline std::int64_t tile_step(const program& source, const instruction& access, std::size_t axis) {
  if (access.op == ast::op::load_window) return access.attributes[2 + axis];
  const value_id tile = access.results.empty() ? access.operands[0] : access.results[0];
  return source.values[static_cast<std::size_t>(tile)].extents[axis];
}

}  // namespace tilewright::compiler
