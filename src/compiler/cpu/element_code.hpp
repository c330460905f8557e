// SPDX-License-Identifier: Apache-2.0
// Element-wise ops as vector code, for any number of lanes: exactly what scalar_semantics.hpp defines (transcendental
// functions within the bound of their row in the op table).
// In registers an element is: bool i1; integers and index iN; f16 and bf16 their bits in i16; f32, f64 themselves,
// tf32 the f32 that it is.
#pragma once

#include <span>

#include "compiler/cpu/ir.hpp"
#include "tilewright/ast/op_table.hpp"
#include "tilewright/base/dtype.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

ir::scalar_type register_type(dtype element);
ir::scalar_type memory_type(dtype element);  // as register_type, but bool is i8 (0 or 1)
ir::value from_memory(ir::module_builder& code, dtype element, ir::value loaded);
ir::value to_memory(ir::module_builder& code, dtype element, ir::value v);

// f16 and bf16 as f32; others as they are. `narrowed` rounds back to nearest even (NaN stays NaN).
ir::value widened(ir::module_builder& code, dtype element, ir::value v);
ir::value narrowed(ir::module_builder& code, dtype element, ir::value v);

// A splat of an instruction's constant attribute (see program.hpp).
ir::value constant_element(ir::module_builder& code, dtype element, std::int64_t bits, int lanes);

// Unary, binary, comparison, ternary and convert ops. Operands have the result's lanes; `from` is the element of the
// last operand (for cast and bitcast the source's), `to` the result's (bool for comparisons).
ir::value element_op(ir::module_builder& code, ast::op which, dtype to, dtype from,
                     std::span<const ir::value> operands);

// The same of an instruction, whose rounding is taken from it.
ir::value element_op(ir::module_builder& code, const instruction& i, dtype to, dtype from,
                     std::span<const ir::value> operands);

// The combining step of reductions and scans on accumulators: f16 and bf16 accumulate in f32, so values are `widened`
// ones. And the neutral value.
ir::value combine(ir::module_builder& code, ast::op along_axis, dtype element, ir::value a, ir::value b);
ir::value neutral(ir::module_builder& code, ast::op along_axis, dtype element, int lanes);

}  // namespace tilewright::compiler
