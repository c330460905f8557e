// SPDX-License-Identifier: Apache-2.0
#include "compiler/type_text.hpp"

namespace tilewright::compiler {

std::string extents_text(const value_type& type) { return extents_text(type.rank, type.extents); }

std::string type_text(const value_type& type) {
  std::string text = info(type.element).name;
  return type.rank == 0 ? text : text + extents_text(type);
}

}  // namespace tilewright::compiler
