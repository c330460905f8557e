// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/range_code.hpp"

#include <cstdint>

namespace tilewright::compiler::tileir {
namespace {

bool is_by_one(const kernel_state& state, const instruction& range) {
  const instruction* step = state.constants[static_cast<std::size_t>(range.operands[2])];
  return step != nullptr && step->attributes[0] == 1;
}

// As many as there are numbers first, first + stride, ... below the end, whose distance fits 64 bits without a sign; at
// most 2^63 - 1, which nobody waits for.
code_value rounds_of(code_builder& code, const code_value& first, const code_value& end, const code_value& stride) {
  const auto number = [&](std::int64_t n) { return code.integer(type_tag::i64, n); };
  const code_value before = code.subtract(code.subtract(end, first), number(1));  // the end; unused where it is first
  const code_value whole =
      code.like_op(opcode::divi, before, {before.number, stride.number}, {is_unsigned, toward_zero});
  const code_value last =
      code.like_op(opcode::mini, whole, {whole.number, number(INT64_MAX - 1).number}, {is_unsigned});
  const code_value has_rounds = code.compare(comparison_predicate::less, is_signed, first, end);
  return code.select(has_rounds, code.add(last, number(1)), number(0));
}

}  // namespace

range_code emit_range(kernel_state& state, const instruction& range, type_tag counter) {
  range_code made;
  made.from = state.get(range.operands[0], counter);
  made.to = state.get(range.operands[1], counter);
  made.step = state.get(range.operands[2], counter);
  const bool is_from_wide = state.is_wide(range.operands[0]);
  if (!is_from_wide && !state.is_wide(range.operands[1])) return made;
  if (!is_from_wide && is_by_one(state, range)) {
    made.to = state.code.greater(made.to, made.from);
    return made;
  }
  made.first = made.from;
  made.stride = made.step;
  made.to = rounds_of(state.code, made.first, made.to, made.stride);
  made.from = state.code.integer(counter, 0);
  made.step = state.code.integer(counter, 1);
  made.is_of_rounds = true;
  return made;
}

code_value variable_of(kernel_state& state, const range_code& range, const code_value& counter) {
  if (!range.is_of_rounds) return counter;
  return state.code.add(range.first, state.code.multiply(counter, range.stride));
}

}  // namespace tilewright::compiler::tileir
