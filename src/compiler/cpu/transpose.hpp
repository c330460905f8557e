// SPDX-License-Identifier: Apache-2.0
// Packs the transpose of a matrix in scratch memory into panels.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

struct transposed_panels {
  dtype element;
  std::int64_t columns, depth;
  int panel_lanes;
};

// A matrix [columns, depth], row-major at `from`, to panels [depth, panel_lanes] from `to` on: panel p holds its
// rows p * panel_lanes ... as columns. Columns past the last one are left as they are.
void transpose_into_panels(kernel_state& state, const transposed_panels& shape, ir::value from, ir::value to);

}  // namespace tilewright::compiler
