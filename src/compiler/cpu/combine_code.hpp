// SPDX-License-Identifier: Apache-2.0
// Combining tiles with a piece of an Accum that blocks on other threads have too.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

void emit_combine(kernel_state& state, const instruction& i);
void emit_combine_at(kernel_state& state, const instruction& i);

}  // namespace tilewright::compiler
