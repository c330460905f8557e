// SPDX-License-Identifier: Apache-2.0
// Which axes of which tiles may reach past their tensor, and what must not be done with those.
#pragma once

#include "compiler/diagnostics.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// Adds a fault for every reduce, scan, argmax, mma K, reshape, cat or extract over an axis that may overhang.
void verify_overhang(const program& source, diagnostics& faults);

}  // namespace tilewright::compiler
