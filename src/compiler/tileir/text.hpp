// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {

// A module for people and for golden files: every field of every operation, types spelled as the vendor's disassembler
// spells them. Debug locations are left out: they change with each line of a kernel's source.
std::string to_text(const bytecode& source);
std::string to_text(const bytecode& source, type_id id);

}  // namespace tilewright::compiler::tileir
