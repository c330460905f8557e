// SPDX-License-Identifier: Apache-2.0
// The line of a record, for those who need more of it than describe_location() says.
#pragma once

#include <string>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

struct source_line {
  std::string file;  // the last part of its path; empty where it is not known
  int line = 0;      // 0: the record has no place
};
source_line line_of(const ast::module_view& module, source_location location);

// A text of the module; empty for no_text.
std::string text_of(const ast::module_view& module, std::int64_t number);

}  // namespace tilewright::compiler
