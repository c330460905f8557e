// SPDX-License-Identifier: Apache-2.0
// Which axes of which tiles may reach past their tensor, and what must not be done with those.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/diagnostics.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// Adds a fault for every reduce, scan, argmax, mma K, reshape, cat or extract over an axis that may overhang.
void verify_overhang(const program& source, diagnostics& faults);

// By value. A mixed one is made by what verify_overhang() refuses: its lanes come of some in the tensor and some past
// it, or lie elsewhere than those did.
struct overhanging_lanes {
  std::vector<std::uint8_t> axes;  // bit a is set where axis a may overhang
  std::vector<bool> is_mixed;
};
overhanging_lanes find_overhanging_lanes(const program& source);

}  // namespace tilewright::compiler
