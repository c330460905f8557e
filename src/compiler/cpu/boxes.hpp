// SPDX-License-Identifier: Apache-2.0
// Loop nests over the elements of a tile: scalar loops over the outer axes, vectors along the last axis that has more
// than one element.
#pragma once

#include <functional>

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

int vector_axis_of(const value_type& shape);

// The place of the first element, of one lane.
position first_place(kernel_state& state);

// `lanes` elements along `axis` from `base` on, which is a multiple of `divisor`.
position with_vector(const position& place, int axis, ir::value base, int lanes, std::int64_t divisor);

// Calls body(place) in code that runs for every vector of the tile, `lanes` long but for a shorter last one on each
// row. ahead(place) runs once per row, in front of it, with no coordinate on the vector axis; it may be empty.
using place_body = std::function<void(const position& place)>;
void for_each_vector(kernel_state& state, const value_type& shape, int lanes, const place_body& body,
                     const place_body& ahead = {});

// for (n = 0; n < extent; ++n), without a loop where extent is 1. Elements remembered inside are forgotten.
void for_each(kernel_state& state, std::int64_t extent, const std::function<void(const coordinate& here)>& body);

// Copies a tile, fused or stored, to a place in scratch memory.
void store_tile(kernel_state& state, value_id id, std::int64_t offset);
// Computes a tile that has a room of its own into it.
void fill_room(kernel_state& state, value_id id);

}  // namespace tilewright::compiler
