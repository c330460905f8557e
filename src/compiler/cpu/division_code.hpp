// SPDX-License-Identifier: Apache-2.0
// The four division ops of integers. Apart, because processors have no vector division of integers: constant divisors
// become multiplications and shifts, other narrow ones a division of floats, which is exact after truncation.
#pragma once

#include "compiler/cpu/ir.hpp"
#include "tilewright/ast/op_table.hpp"

namespace tilewright::compiler {

// `which` is divide, remainder, floor_div or floor_mod.
ir::value divide_integers(ir::module_builder& code, ast::op which, bool is_signed, ir::value a, ir::value b);

}  // namespace tilewright::compiler
