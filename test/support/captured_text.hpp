// SPDX-License-Identifier: Apache-2.0
// What a kernel was captured as, for comparison with text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tilewright/ast/printer.hpp"
#include "tilewright/ast/verify.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {

// The records without the lines of the parameters; a module that breaks a rule is a failure.
inline std::string records_of(const ast::module_view& module) {
  for (const ast::violation& v : ast::verify(module)) ADD_FAILURE() << "record " << v.record << ": " << v.rule;
  std::string text = ast::to_text(module);
  std::size_t begin = text.find('\n') + 1;
  while (text.compare(begin, 10, "parameter ") == 0) begin = text.find('\n', begin) + 1;
  return text.substr(begin);
}
template <class Kernel>
std::string records(const Kernel& kernel) {
  return records_of(*kernel.reference().module);
}

}  // namespace tilewright::test
