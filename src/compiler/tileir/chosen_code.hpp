// SPDX-License-Identifier: Apache-2.0
// Elements of a tensor that data chooses: how far each lane's is from the tensor's first, and which lanes touch theirs.
#pragma once

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {

struct chosen_lanes {
  tile_shape shape;                // in code: rounded up
  code_value steps;                // in elements; 0 in lanes that are left out
  std::optional<code_value> real;  // none: no lane is left out
};

// Of gather and combine_at. Makes the checks of the indices; a lane that fails one is left out, as are those that the
// mask leaves out and those that rounding added.
chosen_lanes choose(kernel_state& state, const instruction& i);

// In each lane the address of the tensor, as a pointer to `element`.
value_number first_pointers(kernel_state& state, std::int64_t parameter, type_tag element, const tile_shape& shape);

}  // namespace tilewright::compiler::tileir
