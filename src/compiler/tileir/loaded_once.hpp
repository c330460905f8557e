// SPDX-License-Identifier: Apache-2.0
// Tiles of an InOut, which a kernel loads before it stores others in their place.
#pragma once

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {

// `x`, loaded from a tensor that the kernel stores to as well, so that the assembler keeps what the load gave.
code_value loaded_once(kernel_state& state, const code_value& x);

}  // namespace tilewright::compiler::tileir
