// SPDX-License-Identifier: Apache-2.0
#include "compiler/type_text.hpp"

namespace tilewright::compiler {

std::string extents_text(const value_type& type) {
  std::string text = "[";
  for (int axis = 0; axis < type.rank; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(type.extents[static_cast<std::size_t>(axis)]);
  }
  return text + "]";
}

std::string type_text(const value_type& type) {
  std::string text = info(type.element).name;
  return type.rank == 0 ? text : text + extents_text(type);
}

}  // namespace tilewright::compiler
