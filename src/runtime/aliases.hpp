// SPDX-License-Identifier: Apache-2.0
// The alias rule of a launch: what it writes overlaps nothing else that it touches. Judged by the elements touched,
// not by handles: two slices of one tensor that share no element are fine.
#pragma once

#include <span>
#include <string>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/runtime/detail/launch_plan.hpp"
#include "tilewright/runtime/detail/overlap.hpp"

namespace tilewright::detail {

// Of a tensor, in its storage.
region region_of(const launch_argument& given);
// "parameter 0 (Out): elements 0 to 7, ..."; no module: a copy.
std::string describe(const ast::module_view* module, std::size_t parameter, const launch_argument& given);

// Throws usage_error that shows both regions. No module: a copy.
void require_no_alias(const ast::module_view* module, std::span<const launch_argument> arguments);

}  // namespace tilewright::detail
