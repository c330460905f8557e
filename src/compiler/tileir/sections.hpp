// SPDX-License-Identifier: Apache-2.0
// Numbers of the container that writer and reader share (2.2, 2.7 of the format notes).
#pragma once

#include <cstdint>
#include <string_view>

namespace tilewright::compiler::tileir {

inline constexpr std::string_view magic{"\x7FTileIR\0", 8};
inline constexpr unsigned major_version = 13;

enum class section_id : std::uint8_t { end, strings, functions, debug, constants, types, globals, producer };
inline constexpr unsigned section_count = 8, aligned_section = 0x80;

inline constexpr unsigned private_flag = 1, kernel_flag = 2, hints_flag = 4;
inline constexpr unsigned debug_subprogram = 5;

}  // namespace tilewright::compiler::tileir
