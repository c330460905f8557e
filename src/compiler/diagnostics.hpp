// SPDX-License-Identifier: Apache-2.0
// What a pass has against a kernel: collected, then thrown as one compile_error, so that an author sees all at once.
#pragma once

#include <string>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

struct diagnostic {
  source_location location;
  std::string what, expected, got, fix;
};

class diagnostics {
 public:
  void add(diagnostic entry) { entries_.push_back(std::move(entry)); }
  bool empty() const { return entries_.empty(); }
  // Throws compile_error when there is any entry.
  void throw_if_any(const ast::module_view& module) const;

 private:
  std::vector<diagnostic> entries_;
};

}  // namespace tilewright::compiler
