// SPDX-License-Identifier: Apache-2.0
// What the loop of a range counts. The assembler compares a counter ahead of itself, or with the end less some steps,
// in 64 bits that wrap: bounds out of data, which may lie anywhere, have to be written so that neither does.
#pragma once

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {

struct range_code {
  code_value from, to, step;  // of the loop that is written
  code_value first, stride;   // of the range, where the loop counts its rounds
  bool is_of_rounds = false;
};

range_code emit_range(kernel_state& state, const instruction& range, type_tag counter);
code_value variable_of(kernel_state& state, const range_code& range, const code_value& counter);

}  // namespace tilewright::compiler::tileir
