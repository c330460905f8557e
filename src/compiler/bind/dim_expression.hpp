// SPDX-License-Identifier: Apache-2.0
// The values of symbols that are expressions over others.
#pragma once

#include <string>
#include <vector>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::compiler {

bool is_expression(const ast::symbol& symbol);

// Whether the expression names the Dim.
bool names_dim(const ast::symbol& expression, const std::string& dim);

// "BM = 64, BN = 8": the Dims that the expression names. Values are those of the module's symbols before it.
std::string dims_text(const ast::module_view& module, std::size_t expression, const std::vector<index_t>& values);

// Throws usage_error: a division leaves a rest, the value is under 1, or a number overflows.
index_t value_of_expression(const ast::module_view& module, std::size_t expression, const std::vector<index_t>& values);

}  // namespace tilewright::compiler
