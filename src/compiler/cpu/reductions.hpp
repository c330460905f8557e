// SPDX-License-Identifier: Apache-2.0
// Reductions and scans into scratch memory. The order of combining follows from shapes alone, never from the
// number of threads.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

void emit_reduce(kernel_state& state, const instruction& i);  // sum, product, max, min
void emit_argmax(kernel_state& state, const instruction& i);
void emit_scan(kernel_state& state, const instruction& i);
void emit_combined(kernel_state& state, const instruction& i);  // reduce_begin, scan_begin

}  // namespace tilewright::compiler
