// SPDX-License-Identifier: Apache-2.0
// Program -> CUDA Tile IR. The kernel takes one parameter for each word of the parameter block (image.hpp), in its
// order: pointers, then extents and strides as i32 where the facts say that they fit 31 bits, else as i64. Its grid is
// the linear number of blocks, on the first axis; of a persistent schedule, any number of them.
#pragma once

#include <string>

#include "compiler/tileir/bytecode.hpp"
#include "tilewright/compiler/gpu_image.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler::tileir {

// Obeys source.schedule. Throws compile_error where a tile's rounded axis is split, merged or cut, a tile is larger
// than Tile IR allows, or the schedule holds a number that means nothing. `where` is a GPU.
// Debug locations hold record numbers, line n + 1 for record n, so that a moved source line changes no byte.
bytecode emit(const program& source, target where);

// How the kernel that emit() makes is launched, and its name in the machine code.
gpu_launch_form launch_form_of(const program& source, target where);
std::string symbol_of(const program& source);

}  // namespace tilewright::compiler::tileir
