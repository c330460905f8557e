// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/new_code.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tilewright::compiler {

using ast::op;

value_id new_code::append(op which, value_type made, std::vector<value_id> operands,
                          std::vector<std::int64_t> attributes) {
  const auto value = static_cast<value_id>(source_.values.size());
  source_.values.push_back(made);
  if (!source_.narrow.empty()) source_.narrow.push_back(false);
  code_.push_back({.op = which,
                   .operands = std::move(operands),
                   .results = {value},
                   .attributes = std::move(attributes),
                   .blocks = {},
                   .location = location_});
  return value;
}

value_type new_code::joined_type(dtype element, const std::vector<value_id>& operands) const {
  value_type made{.element = element};
  for (const value_id operand : operands) {
    const value_type& given = type(operand);
    made.rank = std::max(made.rank, given.rank);
    for (std::size_t axis = 0; axis < max_rank; ++axis) {
      made.extents[axis] = std::max(made.extents[axis], given.extents[axis]);
    }
  }
  return made;
}

value_id new_code::number(std::int64_t value) { return append(op::constant, {.element = dtype::index}, {}, {value}); }

value_id new_code::index(op which, std::vector<value_id> operands, std::vector<std::int64_t> attributes) {
  const value_type made = joined_type(dtype::index, operands);
  return append(which, made, std::move(operands), std::move(attributes));
}

value_id new_code::logical(op which, std::vector<value_id> operands) {
  const value_type made = joined_type(dtype::boolean, operands);
  return append(which, made, std::move(operands), {});
}

value_id new_code::as_index(value_id value) {
  return type(value).element == dtype::index ? value : index(op::cast, {value});
}

value_id new_code::all_of(value_id condition) {
  value_type made = type(condition);
  if (made.rank == 0) return condition;
  made.element = dtype::i32;
  value_id least = append(op::cast, made, {condition}, {});
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(made.rank); ++axis) {
    if (made.extents[axis] == 1) continue;
    made.extents[axis] = 1;
    least = append(op::reduce_min, made, {least}, {static_cast<std::int64_t>(axis)});
  }
  least = append(op::reshape, {.element = dtype::i32}, {least}, {});
  const value_id zero = append(op::constant, {.element = dtype::i32}, {}, {0});
  return logical(op::not_equal, {least, zero});
}

value_id new_code::is_within(value_id index, value_id count) {
  const value_id low = logical(op::greater_equal, {index, number(0)});
  return logical(op::bit_and, {low, logical(op::less, {index, count})});
}

void new_code::assert_that(value_id condition, value_id got, std::vector<std::int64_t> attributes, std::int32_t check) {
  code_.push_back({.op = op::assertion,
                   .operands = {condition, got},
                   .results = {},
                   .attributes = std::move(attributes),
                   .blocks = {},
                   .location = location_,
                   .residual_checks = {check}});
}

std::vector<value_id> new_code::shorten(std::size_t count) {
  std::vector<value_id> gone;
  for (std::size_t i = count; i < code_.size(); ++i) {
    gone.insert(gone.end(), code_[i].results.begin(), code_[i].results.end());
  }
  code_.resize(count);
  return gone;
}

void insert(block& into, code_before& before) {
  std::vector<instruction> body;
  body.reserve(into.body.size());
  for (instruction& next : into.body) {
    if (const auto found = before.find(&next); found != before.end()) {
      std::move(found->second.begin(), found->second.end(), std::back_inserter(body));
    }
    for (block& inner : next.blocks) insert(inner, before);
    body.push_back(std::move(next));
  }
  into.body = std::move(body);
}

}  // namespace tilewright::compiler
