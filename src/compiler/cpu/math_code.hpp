// SPDX-License-Identifier: Apache-2.0
// The functions of the op table (exp to ceil, pow and atan2) as vector code: f32 by polynomials within the table's
// bounds on all of f32, f64 lane by lane by the C library.
#pragma once

#include "compiler/cpu/ir.hpp"
#include "tilewright/ast/op_table.hpp"

namespace tilewright::compiler {

// Operands are of f32 or f64.
ir::value math_function(ir::module_builder& code, ast::op which, ir::value v);
ir::value math_function(ir::module_builder& code, ast::op which, ir::value a, ir::value b);

}  // namespace tilewright::compiler
