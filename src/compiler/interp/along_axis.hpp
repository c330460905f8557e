// SPDX-License-Identifier: Apache-2.0
// Ops in which elements meet: reductions, argmax, scans and matrix products.
#pragma once

#include "compiler/interp/rows.hpp"

namespace tilewright::compiler::interp {

// Elements are taken in order along the axis; f16 and bf16 accumulate in f32 and round once.
void reduce(ast::op which, const tile& result, const tile& operand, int axis);
void argmax(const tile& result, const tile& operand, int axis);
void scan(ast::op which, const tile& result, const tile& operand, int axis, bool is_reverse);

// a (m,k) * b (k,n) + c (m,n), products added in the order of k. `scratch` holds mma_scratch_bytes.
void mma(const tile& result, const tile& a, const tile& b, const tile& c, std::byte* scratch);
std::size_t mma_scratch_bytes(const value_type& a, const value_type& b);

}  // namespace tilewright::compiler::interp
