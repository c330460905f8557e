// SPDX-License-Identifier: Apache-2.0
// Lanes that choose elements of a tensor: an index for each of its axes, each of them a tile that repeats to the lanes'
// type, and perhaps a mask.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/interp/tensor_access.hpp"

namespace tilewright::compiler::interp {

struct chosen_lanes {
  value_type type;
  std::vector<tile> indices = {};
  std::optional<tile> mask = {};
};

// Which element of `t`, which repeats to `lanes`, is in a lane.
index_t element_of_lane(const tile& t, const value_type& lanes, index_t lane);
// Where the element at an index is; null outside.
std::byte* address_of(const tensor& of, const steps& index, index_t element_bytes);

// Calls visit(lane, index) for each lane that the mask does not leave out, in row-major order.
void for_each_lane(const chosen_lanes& chosen, const std::function<void(index_t lane, const steps& index)>& visit);

// Lanes outside the tensor give 0, or combine nothing. The value repeats to the lanes' type, too.
void gather_elements(const tile& result, const tensor& from, const chosen_lanes& chosen);
void combine_elements(combiner by, const tensor& to, const chosen_lanes& chosen, const tile& value);

}  // namespace tilewright::compiler::interp
