// SPDX-License-Identifier: Apache-2.0
// A module as text for people, dumps and golden tests: parameters, then a line for each record. Stable: equal modules
// give equal text; locations are left out.
#pragma once

#include <string>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/base/config.hpp"

namespace tilewright::ast {

// Also prints modules that break rules, as far as they can be read.
TILEWRIGHT_API std::string to_text(const module_view& module);

}  // namespace tilewright::ast
