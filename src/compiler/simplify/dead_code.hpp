// SPDX-License-Identifier: Apache-2.0
// Removes what no store depends on, and gives the values that remain new numbers in the order of their making.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

void remove_dead_code(program& source);
std::vector<bool> live_values(const program& source);  // by value: what remove_dead_code() would leave
bool is_used_in(const instruction& next, const std::vector<bool>& live);  // whether it would leave `next`
void renumber_values(program& source);

}  // namespace tilewright::compiler
