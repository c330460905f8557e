// SPDX-License-Identifier: Apache-2.0
// The alias rule of a launch: what it writes overlaps nothing else that it touches. Judged by the elements touched,
// not by handles: two slices of one tensor that share no element are fine.
#pragma once

#include <span>
#include <string>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {

// Do two views of one storage share an element? Positions and strides count elements. Exact, but for views so
// entangled that the search would take too long: those count as overlapping.
struct region {
  index_t first;
  int rank;
  const index_t* extents;
  const index_t* strides;
};
bool overlap(const region& a, const region& b);

// Of a tensor, in its storage.
region region_of(const launch_argument& given);
// "parameter 0 (Out): elements 0 to 7, ..."; no module: a copy.
std::string describe(const ast::module_view* module, std::size_t parameter, const launch_argument& given);

// Throws usage_error that shows both regions. No module: a copy.
void require_no_alias(const ast::module_view* module, std::span<const launch_argument> arguments);

}  // namespace tilewright::detail
