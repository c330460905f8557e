// SPDX-License-Identifier: Apache-2.0
#include "compiler/simplify/dead_code.hpp"
#include "compiler/simplify/known_values.hpp"
#include "compiler/simplify/rewriter.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {

void simplify(program& source) {
  constexpr int greatest_rounds = 4;  // a round seldom leaves anything to the next one
  bool may_find_more = true;
  for (int round = 0; may_find_more && round < greatest_rounds; ++round) {
    may_find_more = rewriter(source, find_known_values(source)).run();
    remove_dead_code(source);
    renumber_values(source);
  }
  mark_narrow_values(source);
}

}  // namespace tilewright::compiler
