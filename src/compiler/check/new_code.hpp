// SPDX-License-Identifier: Apache-2.0
// Instructions that a pass puts before another one: each function appends one, and gives its value.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

class new_code {
 public:
  new_code(program& source, source_location location) : source_(source), location_(location) {}

  void set_location(source_location location) { location_ = location; }
  value_id append(ast::op which, value_type made, std::vector<value_id> operands,
                  std::vector<std::int64_t> attributes = {});
  value_id number(std::int64_t value);
  value_id index(ast::op which, std::vector<value_id> operands, std::vector<std::int64_t> attributes = {});
  value_id logical(ast::op which, std::vector<value_id> operands);  // a bool: of comparisons, too
  value_id as_index(value_id value);
  value_id all_of(value_id condition);                 // of rank 0
  value_id is_within(value_id index, value_id count);  // 0 <= index < count
  // The check: that the condition holds, and what is told where it does not.
  void assert_that(value_id condition, value_id got, std::vector<std::int64_t> attributes, std::int32_t check);

  const value_type& type(value_id value) const { return source_.values[static_cast<std::size_t>(value)]; }
  std::vector<instruction> take() { return std::move(code_); }

 protected:
  std::size_t size() const { return code_.size(); }
  std::vector<value_id> shorten(std::size_t count);  // to so many instructions; the values that are gone

 private:
  value_type joined_type(dtype element, const std::vector<value_id>& operands) const;

  program& source_;
  std::vector<instruction> code_;
  source_location location_;
};

// What is to stand before an instruction, by its address.
using code_before = std::map<const instruction*, std::vector<instruction>>;
void insert(block& into, code_before& before);

}  // namespace tilewright::compiler
