// SPDX-License-Identifier: Apache-2.0
// What an op asks of the extents of its operands and its result, once all extents are numbers.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

struct shape_fault {
  std::string what, expected, got, fix;
};

// Nothing when the rule holds. `operands` are the types of a record's operands, `attributes` a program's.
std::optional<shape_fault> find_shape_fault(ast::op op, std::span<const value_type> operands, const value_type& result,
                                            std::span<const std::int64_t> attributes);

}  // namespace tilewright::compiler
