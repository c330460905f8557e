// SPDX-License-Identifier: Apache-2.0
// `tilewright debug`: what a kernel of the library does, block by block, and what is wrong with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

struct DebugArguments {
  std::string kernel, element, shape;
  std::vector<std::string> blocks, lines, elements, empty;
  std::uint64_t seed = 0;
  std::int64_t limit = 64, rounds = 4;
  bool has_infinity = false;
};

// Declares the command; `arguments` must live as long as `program`.
CLI::App* add_debug_command(CLI::App& program, DebugArguments& arguments);

// Prints to stdout; whether there is no finding. Throws what the launch throws.
bool run_debug(const DebugArguments& arguments);
