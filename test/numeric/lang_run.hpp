// SPDX-License-Identifier: Apache-2.0
// Runs a captured kernel on one back end, through the whole compiler but without the runtime.
#pragma once

#include "support/program_run.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {

// `arguments` as the module's parameters, the piece in those of outputs; `with` as in kernel.with(...).
inline void run_module(const ast::module_view& module, const back_end& where,
                       const std::vector<compiler::argument>& arguments,
                       const std::vector<compiler::named_extent>& with = {}) {
  const auto bound = compiler::bind_arguments(module, arguments, with, {});
  const compiler::program program = compiler::front(module, bound.special);
  compiler::verify_launch(program, arguments, bound.grid);
  run(program, where, arguments, bound.grid);
}

}  // namespace tilewright::test
