// SPDX-License-Identifier: Apache-2.0
// Packs the transpose of a matrix in scratch memory into panels.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

// `source` [columns, depth] row-major at byte `from`; to panels [depth, panel_lanes] from byte `to` on: panel p holds
// the source's rows p * panel_lanes ... as columns. Columns past the last one are left as they are.
void transpose_into_panels(kernel_state& state, const value_type& source, std::int64_t from, std::int64_t to,
                           int panel_lanes);

}  // namespace tilewright::compiler
