// SPDX-License-Identifier: Apache-2.0
// Whether the types in a program fit together. Nothing else verifies programs that were not made by bind.
#pragma once

#include <string>

#include "tilewright/compiler/program.hpp"

namespace tilewright::test {

// Empty for a sound program; else the first instruction that breaks a rule of its op.
std::string first_type_fault(const compiler::program& source);

}  // namespace tilewright::test
