// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/random_program.hpp"

namespace tilewright::test {

const char* why_never_generated(ast::op which) {
  using enum ast::op;
  switch (which) {
    case copy:
    case assign:
    case undefined:
    case for_end:
    case while_end:
    case if_else:
    case if_end:
    case combiner_left:
    case combiner_right:
    case combiner_end:
    case ast::op::combined:
      return "bind makes values of variables";
    case dim_value:
    case same_shape:
      return "a program has no Dims";
    case require_equal:
    case require:
      return "gone when the program was checked";
    default:
      return nullptr;
  }
}

}  // namespace tilewright::test
