// SPDX-License-Identifier: Apache-2.0
// Ops that work on each element by itself: a loop over a row around the functions of scalar_semantics.hpp.
#pragma once

#include "compiler/interp/rows.hpp"

namespace tilewright::compiler::interp {

// The loop for an op of unary, binary, comparison, ternary or convert category; null for other ops. `operand` is the
// element of the operands (of a and b in select).
row_function element_wise_function(ast::op which, dtype result, dtype operand);

// Of an op that states its rounding, which is not to nearest even.
row_function rounded_function(ast::op which, ast::rounding how, dtype element);

}  // namespace tilewright::compiler::interp
