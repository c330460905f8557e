// SPDX-License-Identifier: Apache-2.0
// The rules of a module, checked on any arrays: a module that passes can be read without further checks. Capture
// cannot break them; a file, a hand-built module or a fault of ours can.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/base/config.hpp"

namespace tilewright::ast {

struct violation {
  std::int32_t record;  // ordinal; -1 when a table of the module breaks the rule
  const char* rule;     // "an operand is no earlier value"
};

// The first violations, in the order of the records; empty for a good module. Reads nothing outside the arrays that
// the view names, whatever they hold.
TILEWRIGHT_API std::vector<violation> verify(const module_view& module);

}  // namespace tilewright::ast
