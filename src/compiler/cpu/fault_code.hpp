// SPDX-License-Identifier: Apache-2.0
// Residual checks in a kernel: a comparison and a branch that is seldom taken, which writes the launch's fault_status.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

// Reports check `check` where `fails` holds. A place without an allowed range leaves `least` and `greatest` empty.
void report_where(kernel_state& state, ir::value fails, std::int32_t check, ir::value got, ir::value least,
                  ir::value greatest);

// Makes the checks of tile indices of a load or gather_rows; `tile` by axis of the tensor. Whether all hold; no value
// where there is none to make.
ir::value check_tile_indices(kernel_state& state, const instruction& i, const std::array<ir::value, max_rank>& tile);
void check_rows(kernel_state& state, const instruction& i);  // of gather_rows
// Which lanes of `index`, of gather or combine_at, lie within the tensor; reports one that does not, unless the mask
// (if it is a value) leaves the lane out.
ir::value check_elements(kernel_state& state, const instruction& i, std::int32_t check, ir::value index,
                         ir::value mask);
void check_divisor(kernel_state& state, const instruction& i, ir::value divisor);
void check_assertion(kernel_state& state, const instruction& i);

// Where `holds` is false the window becomes one of zeros, whatever its place was.
void clear_unless(kernel_state& state, ir::value holds, const value_type& shape, tensor_window& window);

}  // namespace tilewright::compiler
