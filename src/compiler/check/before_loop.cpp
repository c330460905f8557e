// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/before_loop.hpp"

#include <algorithm>
#include <utility>

namespace tilewright::compiler {
namespace {

using ast::op;
using ast::op_category;

// Reads no memory, has no effect, and can do no harm where the kernel would not have come to it.
bool may_move(const instruction& i, const value_type& result) {
  if (!i.blocks.empty() || !i.residual_checks.empty() || ast::has_effect(i.op)) return false;
  if (i.op == op::scalar) return true;
  switch (ast::info(i.op).category) {
    case op_category::binary:
      return is_floating(result.element) || !ast::divides(i.op);
    case op_category::position:
    case op_category::create:
    case op_category::unary:
    case op_category::comparison:
    case op_category::ternary:
    case op_category::convert:
    case op_category::shape:
      return true;
    default:
      return false;
  }
}

bool has_64_bits(dtype element) { return is_integer(element) && info(element).bits == 64; }

void note_constants(const block& code, before_loop::constants& known) {
  for (const instruction& next : code.body) {
    if (next.op == op::constant) known[static_cast<std::size_t>(next.results[0])] = next.attributes[0];
    for (const block& inner : next.blocks) note_constants(inner, known);
  }
}

}  // namespace

before_loop::constants before_loop::constants_of(const program& source) {
  constants known(source.values.size());
  note_constants(source.entry, known);
  return known;
}

before_loop::before_loop(program& source, const instruction& loop, const constants& known)
    : new_code(source, loop.location), constants_(known) {
  variables_.push_back(loop.blocks[0].arguments[0]);
  note(loop.blocks[0]);
}

void before_loop::note(const block& code) {
  for (const value_id argument : code.arguments) makers_[argument] = nullptr;
  for (const instruction& next : code.body) {
    for (const value_id result : next.results) makers_[result] = &next;
    if (next.op == op::for_begin) variables_.push_back(next.blocks[0].arguments[0]);
    for (const block& inner : next.blocks) note(inner);
  }
}

std::optional<std::int64_t> before_loop::number_of(value_id value) const {
  const auto place = static_cast<std::size_t>(value);
  return place < constants_.size() ? constants_[place] : std::nullopt;
}

// ---- Values of the body ---------------------------------------------------------------------------------------------
value_id before_loop::outside(value_id value, copies& known) {
  if (!is_inside(value)) return value;
  if (const auto found = known.find(value); found != known.end()) return found->second;
  const instruction* made = makers_.at(value);
  if (made == nullptr || !may_move(*made, type(value))) return known[value] = no_value;
  std::vector<value_id> operands;
  for (const value_id operand : made->operands) {
    operands.push_back(outside(operand, known));
    if (operands.back() == no_value) return known[value] = no_value;
  }
  return known[value] = append(made->op, type(value), std::move(operands), made->attributes);
}

value_id before_loop::outside(value_id value, value_id variable, value_id first) {
  copies with_first = moved_;
  std::erase_if(with_first, [](const auto& copy) { return copy.second == no_value; });
  with_first[variable] = first;
  return outside(value, with_first);
}

std::optional<before_loop::slope> before_loop::slope_of(value_id value) {
  const auto found = slopes_.find(value);
  return found != slopes_.end() ? found->second : slopes_[value] = new_slope_of(value);
}

std::optional<before_loop::slope> before_loop::new_slope_of(value_id value) {
  if (std::find(variables_.begin(), variables_.end(), value) != variables_.end()) return slope{value, 1};
  if (outside(value) != no_value) return slope{};
  const instruction* made = makers_.at(value);
  if (made == nullptr || !has_64_bits(type(value).element)) return {};
  switch (made->op) {
    case op::add:
    case op::subtract:
      return joined(*made);
    case op::multiply:
      return scaled(*made);
    case op::cast:
      return has_64_bits(type(made->operands[0]).element) ? slope_of(made->operands[0]) : std::nullopt;
    default:
      return {};
  }
}

std::optional<before_loop::slope> before_loop::joined(const instruction& sum) {
  const auto a = slope_of(sum.operands[0]), b = slope_of(sum.operands[1]);
  if (!a || !b) return {};
  if (a->factor != 0 && b->factor != 0 && a->counted_by != b->counted_by) return {};
  const std::int64_t sign = sum.op == op::subtract ? -1 : 1;
  slope made{a->factor != 0 ? a->counted_by : b->counted_by};
  std::int64_t second = 0;
  if (__builtin_mul_overflow(b->factor, sign, &second)) return {};
  if (__builtin_add_overflow(a->factor, second, &made.factor)) return {};
  return made;
}

std::optional<before_loop::slope> before_loop::scaled(const instruction& product) {
  const auto left = number_of(product.operands[0]), right = number_of(product.operands[1]);
  if (!left && !right) return {};
  auto made = slope_of(product.operands[left ? 1 : 0]);
  if (!made || __builtin_mul_overflow(made->factor, left ? *left : *right, &made->factor)) return {};
  return made;
}

void before_loop::drop_since(mark place) {
  for (const value_id gone : shorten(place)) {
    std::erase_if(moved_, [&](const auto& copy) { return copy.second == gone; });
  }
}

}  // namespace tilewright::compiler
