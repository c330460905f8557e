// SPDX-License-Identifier: Apache-2.0
// Module and specialisation to program, with every rule that only concrete extents can show.
#include "compiler/bind/binder.hpp"
#include "compiler/bind/overhang.hpp"
#include "compiler/bind/reductions.hpp"
#include "tilewright/ast/verify.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {

namespace {

void verify_module(const ast::module_view& module) {
  diagnostics faults;
  for (const ast::violation& broken : ast::verify(module)) {
    faults.add({{broken.record},
                std::string("the module breaks a rule: ") + broken.rule,
                {},
                {},
                "capture the kernel again; a module that capture made keeps all rules"});
  }
  faults.throw_if_any(module);
}

}  // namespace

program bind(const ast::module_view& module, const specialization& special) {
  verify_module(module);
  require_internal(special.dims.size() == static_cast<std::size_t>(module.symbol_count) &&
                       special.facts.size() == static_cast<std::size_t>(module.parameter_count),
                   "a specialisation belongs to another module");
  diagnostics faults;
  program made = binder(module, special, faults).run();
  faults.throw_if_any(module);  // the rules below need shapes that go together
  verify_overhang(made, faults);
  verify_reductions(made, faults);
  faults.throw_if_any(module);
  made.schedule = special.schedule;
  return made;
}

}  // namespace tilewright::compiler
