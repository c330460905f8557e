// SPDX-License-Identifier: Apache-2.0
// Reads code record after record and never past its end.
#pragma once

#include <cstdint>
#include <span>

#include "tilewright/ast/module_view.hpp"

namespace tilewright::ast {

struct record {
  op which = op::constant;
  std::int32_t ordinal = 0;
  int type = no_type;
  std::span<const std::int32_t> operands;
  std::span<const std::int32_t> attributes;
};

class record_reader {
 public:
  enum class status { record, end, unknown_op, cut_off };

  explicit record_reader(const module_view& module)
      : code_(module.code, module.code_size > 0 ? static_cast<std::size_t>(module.code_size) : 0) {}

  status next(record& into) {
    if (code_.empty()) return status::end;
    const std::int32_t header = code_[0];
    if ((header & 0xff) >= op_count) return status::unknown_op;
    into.which = header_op(header);
    into.ordinal = ordinal_++;
    into.type = header_type(header);
    const auto operands = static_cast<std::size_t>(header_operands(header));
    if (code_.size() < 1 + operands) return status::cut_off;
    into.operands = code_.subspan(1, operands);
    code_ = code_.subspan(1 + operands);
    const auto left = static_cast<std::int64_t>(code_.size());
    const std::int64_t attributes = attribute_count(into.which, code_.data(), left);
    if (attributes > left) return status::cut_off;
    into.attributes = code_.first(static_cast<std::size_t>(attributes));
    code_ = code_.subspan(into.attributes.size());
    return status::record;
  }

 private:
  std::span<const std::int32_t> code_;  // what is left
  std::int32_t ordinal_ = 0;
};

}  // namespace tilewright::ast
