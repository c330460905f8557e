// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {

// The module as bytecode of version 13.minor: the same module gives the same bytes everywhere. Throws internal_error
// for one that the version cannot express; least_minor_of says which version it needs.
std::string write(const bytecode& source);

// The least minor version that has every type, operation and attribute of the module, 3 at least.
int least_minor_of(const bytecode& source);

}  // namespace tilewright::compiler::tileir
