// SPDX-License-Identifier: Apache-2.0
// Values that the ranges of index arithmetic decide for every launch: found once, before anything is rewritten.
#pragma once

#include <optional>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// By value: the word of the constant that every element of it equals.
std::vector<std::optional<std::int64_t>> find_known_values(const program& source);

// Sets `narrow` for the index values whose range fits 32 bits.
void mark_narrow_values(program& source);

}  // namespace tilewright::compiler
