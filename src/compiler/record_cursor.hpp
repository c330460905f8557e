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
    const auto attributes = static_cast<std::size_t>(ast::info(into.op).attributes);
    require_internal(code_.size() - position_ > operands + attributes, "a module's code ends inside a record");
    into.operands = code_.subspan(position_ + 1, operands);
    into.attributes = code_.subspan(position_ + 1 + operands, attributes);
    position_ += 1 + operands + attributes;
    return true;
  }

 private:
  std::span<const std::int32_t> code_;
  std::size_t position_ = 0;
  int ordinal_ = 0, records_;
};

}  // namespace tilewright::compiler
