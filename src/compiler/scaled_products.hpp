// SPDX-License-Identifier: Apache-2.0
// Products of blocks that share scales, for machines that have none: scaled factors, multiplied by mma. A factor of 8
// or 4 bits times its scale has at most 6 bits of mantissa, so bf16, of the exponents of f32, holds it exactly.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

bool has_scaled_products(const program& source);
program with_plain_products(program source);

}  // namespace tilewright::compiler
