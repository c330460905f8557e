// SPDX-License-Identifier: Apache-2.0
// Lines that a kernel prints, as the driver's printf makes them.
#include <algorithm>

#include "compiler/printed_line.hpp"
#include "compiler/tileir/half_byte_code.hpp"
#include "compiler/tileir/memory_code.hpp"
#include "compiler/tileir/scale_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

struct shown_value {
  code_value value;
  const char* conversion;
};

shown_value shown_integer(kernel_state& state, const code_value& x, signedness sign) {
  if (x.element == type_tag::i64) return {x, sign == is_signed ? "%lld" : "%llu"};
  return {state.code.resized(x, type_tag::i32, sign), sign == is_signed ? "%i" : "%u"};
}

// printf has no narrow elements.
shown_value shown(kernel_state& state, const code_value& x, dtype element) {
  if (element == dtype::f64) return {x, "%g"};
  if (element == dtype::f8e8m0) return {single_of_scale(state.code, x), "%g"};
  if (element == dtype::f4e2m1) return shown(state, halves_of_codes(state.code, x), dtype::f16);
  if (is_floating(element)) return {state.code.converted(x, type_tag::f32), "%g"};
  if (is_half_byte(element)) return shown_integer(state, whole_integers(state.code, x, element), is_signed);
  return shown_integer(state, x, tilewright::is_signed(element) ? is_signed : is_unsigned);
}

// Lanes that rounding added hold anything, so they are shown as 0.
shown_value shown(kernel_state& state, value_id id) {
  shown_value made = shown(state, state.get(id), state.type(id).element);
  const tile_shape exact = state.exact_shape(id);
  for (std::size_t axis = 0; axis < exact.size(); ++axis) made.value = masked(state, made.value, exact[axis], axis, 0);
  return made;
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char letter : text) made.append(letter == '%' ? 2 : 1, letter);
  return made;
}

}  // namespace

bool prints(const block& code) {
  return std::any_of(code.body.begin(), code.body.end(), [](const instruction& next) {
    return next.op == ast::op::print || std::any_of(next.blocks.begin(), next.blocks.end(), prints);
  });
}

void emit_print(kernel_state& state, const instruction& i) {
  constexpr std::uint32_t has_token = 1;
  const printed_line line = line_of_print(state.source, i);
  const std::size_t ids = line.values.size() - i.operands.size();
  std::string format = escaped(line.pieces[0]);
  operation made;
  made.code = opcode::print;
  for (std::size_t n = 0; n < line.values.size(); ++n) {
    const auto [value, conversion] =
        n < ids ? shown(state, block_id(state, n), dtype::index) : shown(state, i.operands[n - ids]);
    made.operands.push_back(value.number);
    format += conversion + escaped(line.pieces[n + 1]);
  }
  made.groups = {static_cast<std::uint32_t>(made.operands.size())};
  made.operands.push_back(*state.printed);
  made.flags = has_token;
  made.fields = {state.ids.string(format)};
  made.results = {state.ids.token()};
  state.printed = state.code.append(std::move(made));
}

}  // namespace tilewright::compiler::tileir
