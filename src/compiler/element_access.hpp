// SPDX-License-Identifier: Apache-2.0
// What the operands of gather and combine_at are: the indices from one operand on, by axis of the tensor, and the mask.
#pragma once

#include <algorithm>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

inline std::size_t first_index(const instruction& access) { return access.op == ast::op::combine_at ? 1 : 0; }

inline value_id mask_of(const instruction& access) {
  return access.attributes[1] != 0 ? access.operands.back() : no_value;
}

// Its lanes: elements of the tensor, in the shape that all operands repeat to.
inline value_type lanes_of(const program& source, const instruction& access) {
  value_type lanes{.element = source.parameters[static_cast<std::size_t>(access.attributes[0])].element};
  for (const value_id id : access.operands) {
    const value_type& operand = source.values[static_cast<std::size_t>(id)];
    lanes.rank = std::max(lanes.rank, operand.rank);
    for (std::size_t axis = 0; axis < max_rank; ++axis) {
      lanes.extents[axis] = std::max(lanes.extents[axis], operand.extents[axis]);
    }
  }
  return lanes;
}

}  // namespace tilewright::compiler
