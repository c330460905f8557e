// SPDX-License-Identifier: Apache-2.0
// Instructions in order: scalars at once, tiles that need a room, stores, loops and branches.
#pragma once

#include <span>

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

void emit_instructions(kernel_state& state, std::span<const instruction> code);
void emit_loop(kernel_state& state, const instruction& i);
void emit_branch(kernel_state& state, const instruction& i);
void emit_store(kernel_state& state, const instruction& i);

}  // namespace tilewright::compiler
