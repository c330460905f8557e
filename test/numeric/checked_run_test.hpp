// SPDX-License-Identifier: Apache-2.0
// The fixture of tests that run a hand-built module through the whole compiler and look at the checks of its kernel.
#pragma once

#include <algorithm>
#include <vector>

#include "numeric/back_end_test.hpp"
#include "support/module_builder.hpp"
#include "tilewright/ast/verify.hpp"
#include "tilewright/compiler/fault_status.hpp"

namespace tilewright::test {

class CheckedRunTest : public BackEndTest {
 protected:
  // `arguments` as the module's parameters, the piece in those of outputs.
  void launch(module_builder& m, const std::vector<compiler::argument>& arguments) {
    for (const ast::violation& v : ast::verify(m.view())) ADD_FAILURE() << "record " << v.record << ": " << v.rule;
    const auto bound = compiler::bind_arguments(m.view(), arguments, {}, {});
    made_ = compiler::front(m.view(), bound.special);
    compiler::verify_launch(made_, arguments, bound.grid);
    status_ = {};
    run(made_, GetParam(), arguments, bound.grid, &status_);
  }

  compiler::program made_;
  compiler::fault_status status_;
};

inline compiler::argument output(const host_array& z, const std::vector<index_t>& piece) {
  compiler::argument made = z.argument();
  std::copy(piece.begin(), piece.end(), made.piece.begin());
  return made;
}

}  // namespace tilewright::test
