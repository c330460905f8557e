// SPDX-License-Identifier: Apache-2.0
// Numbers of what images depend on besides the sources of the compiler. Raise one when its format changes.
#pragma once

#include <cstdint>

namespace tilewright::compiler {

inline constexpr std::uint32_t image_format = 2, parameter_block_format = 2;

// Of the Tile IR tools that GPU images are made with. The key of images holds it, installed or not, so that images made
// elsewhere are found. tools/setup installs it.
inline constexpr const char* assembler_version = "13.4.92";

// Hash of everything under src/compiler and the headers it is built from; made by CMake.
extern const char* const compiler_source_hash;

}  // namespace tilewright::compiler
