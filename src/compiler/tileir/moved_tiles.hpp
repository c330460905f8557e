// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler::tileir {

// For each value that the loop carries: whether a round may give it with its elements in other places, as another
// carried value or through a permute of one.
std::vector<bool> moved_tiles(const instruction& loop);

}  // namespace tilewright::compiler::tileir
