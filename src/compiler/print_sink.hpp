// SPDX-License-Identifier: Apache-2.0
// Where the lines go that kernels print on the host.
#pragma once

#include <functional>
#include <string>

#include "tilewright/base/config.hpp"

namespace tilewright::compiler {

using print_sink = std::function<void(const std::string& line)>;

// An empty one is stderr.
TILEWRIGHT_API void set_print_sink(print_sink sink);

// Hands a line with its newline over, one at a time.
void print_line(const std::string& line) noexcept;

}  // namespace tilewright::compiler
