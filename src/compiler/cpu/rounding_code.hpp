// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64 that rounds toward zero, downward or upward.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/cpu/ir.hpp"
#include "tilewright/ast/op_table.hpp"

namespace tilewright::compiler {

// An op that states its rounding, which is not to nearest even; operands of the result's type.
ir::value rounded_op(ir::module_builder& code, ast::op which, ast::rounding how, std::span<const ir::value> operands);

// What code for f64 calls: double f(double, ...), as many as the op has operands.
struct host_function {
  std::string name;
  void* address;
};
std::vector<host_function> rounding_functions();

}  // namespace tilewright::compiler
