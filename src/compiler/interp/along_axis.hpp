// SPDX-License-Identifier: Apache-2.0
// Ops in which elements meet: reductions, argmax, scans and matrix products.
#pragma once

#include "compiler/interp/rows.hpp"

namespace tilewright::compiler::interp {

// Calls body(first, step) for each line of elements along the axis, in row-major order of the lines.
template <class Body>
void for_each_line(const tile& t, int axis, Body body) {
  index_t outer = 1, inner = 1;
  for (int i = 0; i < axis; ++i) outer *= t.extent(i);
  for (int i = axis + 1; i < t.type.rank; ++i) inner *= t.extent(i);
  for (index_t o = 0; o < outer; ++o) {
    for (index_t i = 0; i < inner; ++i) body(o * t.extent(axis) * inner + i, inner);
  }
}

// Elements are taken in order along the axis; f16 and bf16 accumulate in f32 and round once.
void reduce(ast::op which, const tile& result, const tile& operand, int axis);
void argmax(const tile& result, const tile& operand, int axis);
void scan(ast::op which, const tile& result, const tile& operand, int axis, bool is_reverse);

// a (m,k) * b (k,n) + c (m,n), or a batch of them, products added in the order of k. `scratch` holds mma_scratch_bytes.
void mma(const tile& result, const tile& a, const tile& b, const tile& c, std::byte* scratch);
std::size_t mma_scratch_bytes(const value_type& a, const value_type& b);

}  // namespace tilewright::compiler::interp
