// SPDX-License-Identifier: Apache-2.0
// Checks of the steps of ranges that no launch settles, and that no range around took out.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// Puts each before its range, which has no round where it fails.
void place_step_checks(program& source);

}  // namespace tilewright::compiler
