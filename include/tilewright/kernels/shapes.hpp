// SPDX-License-Identifier: Apache-2.0
// What several kernels ask of the shapes of their arguments; a launch that does not fit is a usage_error.
#pragma once

#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// Two tensors of one shape.
template <class A, class B>
constexpr void require_same_shape(const A& a, const B& b, ast::source_place where = ast::source_place()) {
  static_assert(A::rank == B::rank);
  for (int axis = 0; axis < A::rank; ++axis) require_equal(a.extent(axis, where), b.extent(axis, where), where);
}

// z and x of one shape, a block holding whole rows.
template <class Z, class X>
constexpr void require_whole_rows(Block b, const Z& z, const X& x, ast::source_place where = ast::source_place()) {
  require_same_shape(z, x, where);
  require_equal(b.grid(1, where), 1, where);
}

}  // namespace tilewright::kernels
