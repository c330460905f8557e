// SPDX-License-Identifier: Apache-2.0
// Elements of a tensor that data chooses, lane by lane: where they are, and whether their indices are checked.
#pragma once

#include "compiler/cpu/elements.hpp"

namespace tilewright::compiler {

// Of gather and combine_at: byte offsets of `lanes` lanes at a place of the result, and the lanes that may touch them,
// where these are not all. Makes the checks of the indices; lanes that fail one are left out.
tensor_lanes chosen_lanes(kernel_state& state, const instruction& i, const position& place, int lanes);

// Elements that a gather gives at a place: one where all lanes are the same.
ir::value gathered_elements(kernel_state& state, const instruction& i, const position& place);

}  // namespace tilewright::compiler
