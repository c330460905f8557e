// SPDX-License-Identifier: Apache-2.0
// Views of tensors and what is computed from their extents.
#pragma once

#include <optional>

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {

struct tile_view {
  value_number number = 0;
  type_id type = 0;
};

tile_shape piece_of(const program_parameter& parameter);

// What the lanes of a load outside its tensor hold, if a view can give it.
std::optional<padding> padding_of(const kernel_state& state, const instruction& load);

// `clipped`: axes whose extent is not the tensor's.
type_id tensor_type(kernel_state& state, std::int64_t parameter, const std::vector<bool>& clipped);
value_number make_tensor_view(kernel_state& state, std::int64_t parameter, type_id type,
                              const std::vector<code_value>& extents);
// Tiles, rounded up, of which number n begins at n times a step: of what is no window, the tile's exact extent.
tile_shape steps_of(const kernel_state& state, const instruction& load);
tile_view make_tile_view(kernel_state& state, type_id tensor_type, value_number tensor, const tile_shape& tile,
                         const tile_shape& steps, padding pad);
const tensor_view_use* find_view(const tensor_state& tensor, const tile_shape& tile, const tile_shape& steps,
                                 padding pad);

// Before a block's body: the tokens that its accesses to each ordered tensor start from, and its lines.
void make_tokens(kernel_state& state);

// Whether blocks that share a piece of the parameter, a sum of floats, run one after the other, so that each may load
// the piece and store it. Else each element is one atomic step.
bool combines_in_turn(const program& source, std::int64_t parameter);
void emit_combine_in_turn(kernel_state& state, const instruction& i);

// A value as memory holds it.
code_value to_memory(kernel_state& state, value_id id);

// A tile of pointers.
value_number pointer_op(kernel_state& state, opcode code, type_tag element, const tile_shape& shape,
                        std::vector<value_number> operands);

// 0 on an axis that the output which gives the grid lacks.
code_value block_id(kernel_state& state, std::size_t axis);

// How many tiles of this extent an axis takes.
code_value tile_count(kernel_state& state, std::int64_t parameter, std::size_t axis, std::int64_t extent);

}  // namespace tilewright::compiler::tileir
