// SPDX-License-Identifier: Apache-2.0
// Which blocks of a launch run one after the other, so that sums of floats come out the same each time.
#include <algorithm>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

std::size_t first_axis_in_turn(const program& source, const tilewright::schedule& plan) {
  std::size_t first = max_rank;
  if (!plan.deterministic) return first;
  for (const program_parameter& parameter : source.parameters) {
    if (rounds_by_order(parameter)) first = std::min(first, static_cast<std::size_t>(parameter.rank));
  }
  return first;
}

index_t blocks_in_turn(const program& source, const tilewright::schedule& plan, const std::vector<index_t>& grid) {
  index_t blocks = 1;
  for (std::size_t axis = first_axis_in_turn(source, plan); axis < grid.size(); ++axis) blocks *= grid[axis];
  return std::max<index_t>(blocks, 1);  // a grid without blocks has none in turn either
}

}  // namespace tilewright::compiler
