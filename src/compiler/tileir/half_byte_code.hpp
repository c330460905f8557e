// SPDX-License-Identifier: Apache-2.0
// Elements of 4 bits in Tile IR: codes below 16 in tiles of bytes, converted by integer operations. f4e2m1 is a type on
// GPUs from sm_100 on only, and i4 one without constants.
#pragma once

#include "compiler/tileir/code_builder.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::compiler::tileir {

code_value low_halves(code_builder& code, const code_value& bytes);
code_value whole_integers(code_builder& code, const code_value& codes, dtype element);  // i4 and u4 in all 8 bits
code_value halves_of_codes(code_builder& code, const code_value& codes);                // f4e2m1 in f16, which has all
code_value codes_of_singles(code_builder& code, const code_value& x);                   // as the constructor of f4e2m1

}  // namespace tilewright::compiler::tileir
