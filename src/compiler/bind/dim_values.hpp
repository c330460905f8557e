// SPDX-License-Identifier: Apache-2.0
// Gives each Dim of a module its one value for a launch.
#pragma once

#include <string>
#include <vector>

#include "tilewright/compiler/specialization.hpp"

namespace tilewright::compiler {

// "kernel 'gemm', parameter 2 (In)"
std::string describe_parameter(const ast::module_view& module, int parameter);

inline const ast::tile_type& type_of_parameter(const ast::module_view& module, int parameter) {
  return module.types[module.parameters[parameter].type];
}

// Value by symbol. Checks pieces and named extents against what the kernel states. Throws usage_error.
std::vector<index_t> dim_values(const ast::module_view& module, const std::vector<argument>& arguments,
                                const std::vector<named_extent>& with, const std::vector<named_extent>& defaults);

}  // namespace tilewright::compiler
