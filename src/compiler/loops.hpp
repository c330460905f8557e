// SPDX-License-Identifier: Apache-2.0
// Where the two loops of a program, for_begin and while_begin, keep what they carry.
#pragma once

#include "tilewright/base/error.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

inline bool is_loop(const instruction& i) { return i.op == ast::op::for_begin || i.op == ast::op::while_begin; }

// The positions of the first initial value among the operands, and of the first carried value among the arguments:
// from, to and step, and the loop variable, stand before them.
inline std::size_t first_initial(const instruction& loop) { return loop.op == ast::op::for_begin ? 3 : 0; }
inline std::size_t first_carried(const instruction& loop) { return loop.op == ast::op::for_begin ? 1 : 0; }

// The position of while_condition in the block of a while_begin.
inline std::size_t condition_of(const instruction& loop) {
  const std::vector<instruction>& body = loop.blocks[0].body;
  std::size_t position = 0;
  while (position < body.size() && body[position].op != ast::op::while_condition) ++position;
  require_internal(position < body.size(), "a while_ has no condition");
  return position;
}

}  // namespace tilewright::compiler
