// SPDX-License-Identifier: Apache-2.0
// Element-wise ops on the words that `constant` instructions hold (see semantics::from_constant), for the folder.
#pragma once

#include <cstdint>
#include <optional>

#include "tilewright/ast/op_table.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::compiler {

// A unary, binary, comparison, fma or select op on words of elements of `type`, operands in the op's order (unused
// ones are ignored). Comparisons give 0 or 1; select takes its condition first. Nothing when the op is not
// element-wise or does not take the element.
std::optional<std::int64_t> fold(ast::op which, dtype type, std::int64_t a, std::int64_t b = 0, std::int64_t c = 0);

std::int64_t fold_cast(dtype to, dtype from, std::int64_t word);
// Nothing when the widths differ or the result is a NaN: a word of a constant does not keep all bits of one.
std::optional<std::int64_t> fold_bitcast(dtype to, dtype from, std::int64_t word);

}  // namespace tilewright::compiler
