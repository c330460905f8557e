// SPDX-License-Identifier: Apache-2.0
// Element-wise ops of integers as vector code; unary and binary ones that the op table takes for them.
#pragma once

#include "compiler/cpu/ir.hpp"
#include "tilewright/ast/op_table.hpp"

namespace tilewright::compiler {

// Of bool (i1) and integer lanes; index is a signed one.
ir::value integer_unary(ir::module_builder& code, ast::op which, bool is_signed, ir::value a);
ir::value integer_binary(ir::module_builder& code, ast::op which, bool is_signed, ir::value a, ir::value b);
ir::value integer_comparison(ir::module_builder& code, ast::op which, bool is_signed, ir::value a, ir::value b);

}  // namespace tilewright::compiler
