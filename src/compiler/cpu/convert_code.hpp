// SPDX-License-Identifier: Apache-2.0
// Conversions between elements as vector code: `widened` and `narrowed` of element_code.hpp, cast and bitcast.
#pragma once

#include "compiler/cpu/ir.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::compiler {

// As `narrowed`, for f32 values that the narrow element holds exactly, and NaN: those need no rounding.
ir::value narrowed_exactly(ir::module_builder& code, dtype element, ir::value v);
// As `narrowed`, for results of arithmetic on widened values: their NaNs are an operand's or the processor's own, so
// that the lower half of the bits is 0 and rounding carries into nothing.
ir::value narrowed_result(ir::module_builder& code, dtype element, ir::value v);

ir::value cast_element(ir::module_builder& code, dtype to, dtype from, ir::value v);
ir::value bitcast_element(ir::module_builder& code, dtype to, dtype from, ir::value v);

}  // namespace tilewright::compiler
