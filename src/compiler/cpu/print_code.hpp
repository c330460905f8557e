// SPDX-License-Identifier: Apache-2.0
// Lines that a kernel prints: code gathers the values in one room and calls back.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

void emit_print(kernel_state& state, const instruction& i);

// What the code calls, by this name: `line` is a printed_line as bytes.
inline constexpr const char* print_symbol = "tilewright_print";
void print_from_code(const char* line, const std::byte* values) noexcept;

}  // namespace tilewright::compiler
