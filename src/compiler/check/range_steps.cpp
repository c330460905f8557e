// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/range_steps.hpp"

#include "compiler/check/new_code.hpp"
#include "compiler/simplify/dead_code.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

// Past it the counter, which goes beyond the end by some steps, could wrap.
constexpr std::int64_t greatest_step = INT64_C(1) << 53;

// A step that the kernel cannot go wrong with, whoever checks it: also of a range that nobody uses, or of one inside
// that which the check was hoisted out of.
std::vector<instruction> checked_step(program& source, instruction& range, bool is_checked) {
  new_code code(source, range.location);
  const value_id step = range.operands[2], least = code.number(1);
  if (is_checked) {
    const value_id holds = code.logical(op::greater_equal, {step, least});
    code.assert_that(holds, step, {}, range.residual_checks[0]);
    range.operands[1] = code.index(op::select, {holds, range.operands[1], range.operands[0]});
  }
  range.operands[2] = code.index(op::minimum, {code.index(op::maximum, {step, least}), code.number(greatest_step)});
  range.residual_checks.clear();
  return code.take();
}

// What nobody uses is not checked, nor what was before an outer range.
void collect(program& source, block& code, const std::vector<bool>& live, code_before& before) {
  for (instruction& next : code.body) {
    if (next.op == op::for_begin && !next.residual_checks.empty()) {
      const residual_check& rule = source.residual_checks[static_cast<std::size_t>(next.residual_checks[0])];
      before[&next] = checked_step(source, next, !rule.is_hoisted && is_used_in(next, live));
    }
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
