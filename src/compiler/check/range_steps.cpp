// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/range_steps.hpp"

#include "compiler/check/new_code.hpp"
#include "compiler/simplify/dead_code.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

std::vector<instruction> checked_step(program& source, instruction& range) {
  new_code code(source, range.location);
  const value_id step = range.operands[2], least = code.number(1);
  const value_id holds = code.logical(op::greater_equal, {step, least});
  code.assert_that(holds, step, {}, range.residual_checks[0]);
  range.operands[1] = code.index(op::select, {holds, range.operands[1], range.operands[0]});
  range.operands[2] = code.index(op::maximum, {step, least});
  range.residual_checks.clear();
  return code.take();
}

// What nobody uses is not checked.
void collect(program& source, block& code, const std::vector<bool>& live, code_before& before) {
  for (instruction& next : code.body) {
    const bool is_checked = next.op == op::for_begin && !next.residual_checks.empty();
    if (is_checked && is_used_in(next, live)) before[&next] = checked_step(source, next);
    for (block& inner : next.blocks) collect(source, inner, live, before);
  }
}

}  // namespace

void place_step_checks(program& source) {
  if (source.residual_checks.empty()) return;
  code_before before;
  collect(source, source.entry, live_values(source), before);
  if (!before.empty()) insert(source.entry, before);
}

}  // namespace tilewright::compiler
