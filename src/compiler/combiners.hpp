// SPDX-License-Identifier: Apache-2.0
// What a reduce_begin or scan_begin of a program holds.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// As the word of a constant of tile n.
inline std::int64_t identity_of(const instruction& i, std::size_t n) {
  return i.attributes[static_cast<std::size_t>(ast::info(i.op).attributes) + n];
}

inline bool is_reverse_scan(const instruction& i) { return i.op == ast::op::scan_begin && i.attributes[1] != 0; }

}  // namespace tilewright::compiler
