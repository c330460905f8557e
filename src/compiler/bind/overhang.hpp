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

// By value: bit a is set where axis a may overhang.
std::vector<std::uint8_t> overhanging_axes(const program& source);

}  // namespace tilewright::compiler
