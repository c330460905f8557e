// SPDX-License-Identifier: Apache-2.0
// What each op demands of its operands' types, its attributes and its result, one record at a time.
#pragma once

#include <span>

#include "ast/record_reader.hpp"

namespace tilewright::ast {

// Null, or the rule that the record breaks. `operands` are the operands' types; the record's counts and its own type
// index were checked before, and so was every table of the module.
const char* broken_rule(const module_view& module, const record& r, std::span<const tile_type> operands);

// An extent that a tile may have: a number from 1 on, or a symbol of the module.
bool is_tile_extent(const module_view& module, std::int32_t extent);

}  // namespace tilewright::ast
