// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements: each element of the result is one of an operand. What a debugger notes of elements
// moves the same way, so nothing here asks what they are.
#pragma once

#include <span>

#include "compiler/interp/rows.hpp"

namespace tilewright::compiler::interp {

bool moves_elements(ast::op which);
// Of an instruction that moves elements, from its operands to its result.
void move_elements(const instruction& i, const tile& to, std::span<const tile> from);

}  // namespace tilewright::compiler::interp
