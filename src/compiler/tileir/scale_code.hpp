// SPDX-License-Identifier: Apache-2.0
// f8e8m0 in Tile IR: its bytes, converted by integer operations. Only GPUs from sm_100 on have it as a type, and what
// they convert rounds otherwise.
#pragma once

#include "compiler/tileir/code_builder.hpp"

namespace tilewright::compiler::tileir {

code_value scale_of_single(code_builder& code, const code_value& x);  // as the constructor of f8e8m0
code_value single_of_scale(code_builder& code, const code_value& bytes);

}  // namespace tilewright::compiler::tileir
