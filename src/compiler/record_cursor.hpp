// SPDX-License-Identifier: Apache-2.0
// Reads a module's code record after record. The module was verified; a damaged one ends in internal_error, not in a
// read past the code.
#pragma once

#include <cstdint>
#include <span>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {

struct record {
  ast::op op = ast::op::constant;
  int ordinal = 0;
  int type = ast::no_type;
  std::span<const std::int32_t> operands;
  std::span<const std::int32_t> attributes;
};

class record_cursor {
 public:
  explicit record_cursor(const ast::module_view& module)
      : code_(module.code, static_cast<std::size_t>(module.code_size)), records_(module.record_count) {}

  // Moves to the next record; false at the end.
  bool next(record& into) {
    if (position_ >= code_.size()) return false;
    const std::int32_t header = code_[position_];
    require_internal((header & 0xff) < ast::op_count && ordinal_ < records_, "a module's code is damaged");
    into.op = ast::header_op(header);
    into.ordinal = ordinal_++;
    into.type = ast::header_type(header);
    const auto operands = static_cast<std::size_t>(ast::header_operands(header));
    require_internal(code_.size() - position_ > operands, "a module's code ends inside a record");
    into.operands = code_.subspan(position_ + 1, operands);
    position_ += 1 + operands;
    const auto left = static_cast<std::int64_t>(code_.size() - position_);
    const std::int64_t attributes = ast::attribute_count(into.op, code_.data() + position_, left);
    require_internal(attributes <= left, "a module's code ends inside a record");
    into.attributes = code_.subspan(position_, static_cast<std::size_t>(attributes));
    position_ += into.attributes.size();
    return true;
  }

 private:
  std::span<const std::int32_t> code_;
  std::size_t position_ = 0;
  int ordinal_ = 0, records_;
};

}  // namespace tilewright::compiler
