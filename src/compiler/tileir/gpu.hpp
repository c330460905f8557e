// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "tilewright/compiler/gpu_image.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// Program -> Tile IR -> the assembler's machine code. Throws runtime_error where the assembler is not installed. Any
// thread: each call runs a child process of its own.
std::shared_ptr<const gpu_image> emit_gpu(const program& source, target where);

}  // namespace tilewright::compiler
