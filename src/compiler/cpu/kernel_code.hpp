// SPDX-License-Identifier: Apache-2.0
// program -> the code of its image: one function that runs a range of blocks.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/cpu/ir.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

inline constexpr const char* kernel_symbol = "tilewright_kernel";

struct kernel_code {
  ir::module_builder code;
  std::int64_t scratch_bytes;
};
// Of a program without scaled products.
kernel_code make_kernel_code(const program& source, int vector_bytes);

}  // namespace tilewright::compiler
