// SPDX-License-Identifier: Apache-2.0
// pow of f32, with every special case of C's.
#pragma once

#include "compiler/cpu/ir.hpp"

namespace tilewright::compiler {

ir::value f32_power(ir::module_builder& code, ir::value a, ir::value b);

}  // namespace tilewright::compiler
