// SPDX-License-Identifier: Apache-2.0
// Matrix products and batches of them: operands are packed into scratch memory, then multiplied by register blocks of
// rows times vectors.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

void emit_product(kernel_state& state, const instruction& i);

}  // namespace tilewright::compiler
