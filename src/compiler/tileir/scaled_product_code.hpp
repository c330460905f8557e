// SPDX-License-Identifier: Apache-2.0
// Products of blocks that share scales, by the tensor core of GPUs from sm_100 on.
#pragma once

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {

void emit_scaled_product(kernel_state& state, const instruction& i);

}  // namespace tilewright::compiler::tileir
