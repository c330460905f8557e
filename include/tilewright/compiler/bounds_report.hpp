// SPDX-License-Identifier: Apache-2.0
// Where the bounds ladder settled each thing that a kernel relies on: tile indices by axis, row indices, divisors,
// steps of ranges, and what requires_ and require_equal ask for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// From what costs nothing to what costs most.
enum class rung : std::uint8_t {
  proved,   // by the program alone
  launch,   // by a comparison on the host, once for each launch
  hoisted,  // by the kernel, before the outermost loop that decides it
  in_place  // by the kernel, where it uses the value
};
// "static", "launch", "hoisted", "in place".
TILEWRIGHT_API const char* name_of(rung where);

struct bounds_entry {
  rung where = rung::proved;
  std::string rule;  // "a tile index of parameter 1 (In) on axis 0 stays within the tiles"
  source_location location;
  // What the launch compares, or why it cannot; of proved ones only that a requirement proves it.
  std::string reason = {};
  // How to settle it further up; empty where it is proved, or required by the kernel.
  std::string fix = {};
};

// In the order in which the kernel comes to them.
struct bounds_report {
  std::vector<bounds_entry> entries;

  int count(rung where) const {
    int found = 0;
    for (const bounds_entry& entry : entries) found += entry.where == where ? 1 : 0;
    return found;
  }
};

}  // namespace tilewright::compiler
