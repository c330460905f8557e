// SPDX-License-Identifier: Apache-2.0
// What an image may assume of the tensors of one launch.
#pragma once

#include <vector>

#include "tilewright/compiler/specialization.hpp"

namespace tilewright::compiler {

std::vector<tensor_facts> facts_of(const ast::module_view& module, const std::vector<argument>& arguments,
                                   const std::vector<index_t>& dims);

}  // namespace tilewright::compiler
