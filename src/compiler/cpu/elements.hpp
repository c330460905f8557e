// SPDX-License-Identifier: Apache-2.0
// The elements of a tile at a place, wherever the tile lives: read from scratch memory or a tensor, or computed.
#pragma once

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

// As many lanes as the place has, or one where all lanes are the same element. In registers as element_code.hpp says.
ir::value element_at(kernel_state& state, value_id id, const position& place);
// Always `place.lanes` lanes.
ir::value vector_at(kernel_state& state, value_id id, const position& place);
// As vector_at, but from its operands also where the tile has a room: this is what fills the room.
ir::value computed_vector_at(kernel_state& state, value_id id, const position& place);

// Computes, ahead of a loop over the vector axis, what does not change in it. `place` has no vector axis: its
// coordinate on `vector_axis` is not to be read.
void remember_uniform(kernel_state& state, value_id id, const position& place, int vector_axis);
void remember_uniform_operands(kernel_state& state, const instruction& i, const position& place, int vector_axis);

// The place in an operand that is read by the implicit broadcast rule: extents of 1 repeat.
position broadcast_place(kernel_state& state, const value_type& operand, const position& place);

// ---- Memory ----
// A tile in scratch memory at a byte offset.
ir::value load_stored(kernel_state& state, const value_type& type, std::int64_t offset, const position& place);
// From a dense tile that begins at this address.
ir::value load_dense(kernel_state& state, const value_type& type, ir::value start, const position& place);
void store_stored(kernel_state& state, const value_type& type, std::int64_t offset, const position& place,
                  ir::value element);

// What an access sees of its tensor, at tile index `tile`.
tensor_window window_of(kernel_state& state, const instruction& access, const std::array<ir::value, max_rank>& tile);
struct tensor_lanes {
  ir::value address;
  ir::value byte_offsets;  // of the lanes from the address; none where they lie side by side
  ir::value mask;          // none where all lanes are in the tensor
  ir::value any;           // whether the mask has a lane; none where it always has
};
tensor_lanes lanes_of(kernel_state& state, const tensor_window& window, const value_type& type, const position& place);
ir::value load_from_tensor(kernel_state& state, const tensor_window& window, const value_type& type,
                           const position& place, ir::value pad);
void store_to_tensor(kernel_state& state, const tensor_window& window, const value_type& type, const position& place,
                     ir::value element, bool is_non_temporal);

// The row of the tensor that a tile of rows names for row `place.axes[0].base` of its result.
ir::value row_number(kernel_state& state, value_id rows, const position& place);

// Address of a word of the parameter block.
ir::value parameter_word(kernel_state& state, std::int64_t parameter, std::int64_t word);

}  // namespace tilewright::compiler
