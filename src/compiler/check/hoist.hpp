// SPDX-License-Identifier: Apache-2.0
// Moves residual checks out of loops, to the outermost one that decides them.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// A check whose values come from outside a range, or whose index counts with one range in even steps, is made once
// before it, under the condition that the range and those between have a round; where it fails the range has none. So
// it fails exactly where one of its rounds would. Checks in a branch stay in it; those in a while_ stay in it, too.
void hoist_checks(program& source);

}  // namespace tilewright::compiler
