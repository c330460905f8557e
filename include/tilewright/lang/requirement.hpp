// SPDX-License-Identifier: Apache-2.0
// What a kernel asks of its arguments before it runs.
#pragma once

#include "tilewright/lang/views.hpp"

namespace tilewright {

// Refuses a launch (usage_error, naming this line and both values) in which the two differ; costs the kernel nothing.
//   require_equal(x.extent(1), y.extent(0));
constexpr void require_equal(const Index& a, lang::tile_index b, ast::source_place where = ast::source_place()) {
  ast::recorder& trace = lang::access::trace(a);
  trace.at(where);
  const int left = lang::access::use(a);
  trace.add(ast::op::require_equal, nullptr, 2, left, b.use(trace));
}

}  // namespace tilewright
