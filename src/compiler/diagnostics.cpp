// SPDX-License-Identifier: Apache-2.0
#include "compiler/diagnostics.hpp"

#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

report report_of(const ast::module_view& module, const diagnostic& entry) {
  return {.what = entry.what,
          .where = describe_location(module, entry.location),
          .expected = entry.expected,
          .got = entry.got,
          .fix = entry.fix};
}

}  // namespace

void diagnostics::throw_if_any(const ast::module_view& module) const {
  if (entries_.empty()) return;
  if (entries_.size() == 1) throw compile_error(report_of(module, entries_.front()));
  report all;
  all.what = std::to_string(entries_.size()) + " errors in one kernel";
  for (const diagnostic& entry : entries_) {
    all.what += "\n  ";
    all.what += compile_error(report_of(module, entry)).what();
  }
  all.where = std::string("kernel '") + module.name + "'";
  throw compile_error(all);
}

}  // namespace tilewright::compiler
