// SPDX-License-Identifier: Apache-2.0
// How types and comparisons stand in messages and dumps: "f32[64, 32]", "index", "grid(0) <= extent(1, 0)".
#pragma once

#include <array>
#include <string>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// "[64, 32]", "[]" at rank 0
template <class Extent>
std::string extents_text(int rank, const std::array<Extent, max_rank>& extents) {
  std::string text = "[";
  for (int axis = 0; axis < rank; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(extents[static_cast<std::size_t>(axis)]);
  }
  return text + "]";
}
std::string extents_text(const value_type& type);
std::string type_text(const value_type& type);  // "f32[64, 32]", "f32" at rank 0
std::string comparison_text(const launch_expression& lesser, const launch_expression& greater);

}  // namespace tilewright::compiler
