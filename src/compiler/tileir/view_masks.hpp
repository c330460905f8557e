// SPDX-License-Identifier: Apache-2.0
// What keeps lanes out of an access on a GPU, beside what does so on every device (tile_access.hpp): views, which the
// assembler masks unless it is told that tiles end where the tensor does, and the lanes that rounding to powers of two
// adds. Emitter and report of masks read the same functions.
#pragma once

#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler::tileir {

// By parameter: tensors whose tiles meet a reshape that merges axes. Of them the assembler is told neither alignment
// nor what divides their extents.
std::vector<bool> find_flattened(const program& source);

// The greatest power of two that a kernel says the extent is a multiple of. An extent that every step of its tiles
// divides has theirs.
std::int64_t extent_divisor(const program& source, std::size_t parameter, std::size_t axis);

// Whether every tile of the access, which is one through a view, ends inside the tensor as far as a kernel can say.
bool ends_inside(const program& source, const instruction& access, std::size_t axis);

enum class gpu_mask : std::uint8_t {
  none,
  extent,    // the tensor may end inside a tile
  rounding,  // lanes that rounding added are of no tile, or of the next one
  steps,     // tiles begin where no power of two of theirs does
  untold,    // all tiles end inside, which the assembler must not know
  check      // the access is left out where its check fails
};
// Of an axis of the tile, or of the lanes, that a memory operation reads or writes.
gpu_mask mask_on(const program& source, const std::vector<bool>& is_flattened, const instruction& access,
                 std::size_t axis);

}  // namespace tilewright::compiler::tileir
