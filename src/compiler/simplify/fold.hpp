// SPDX-License-Identifier: Apache-2.0
// What one instruction comes to, given which of its operands are constants. Bit for bit what running it would give.
#pragma once

#include <optional>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// A constant (every element the same), or another value of the same type.
struct folded {
  std::optional<std::int64_t> word;
  value_id value = no_value;
};

// `constants`: by value, the word of those that are splats.
std::optional<folded> fold_instruction(const instruction& source, const std::vector<value_type>& values,
                                       const std::vector<std::optional<std::int64_t>>& constants);

}  // namespace tilewright::compiler
