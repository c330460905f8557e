// SPDX-License-Identifier: Apache-2.0
// The parameter block that every image reads.
#include <bit>

#include "tilewright/compiler/image.hpp"

namespace tilewright::compiler {

std::size_t parameter_block_words(const std::vector<program_parameter>& parameters) {
  std::size_t words = 0;
  for (const program_parameter& parameter : parameters) words += parameter_block_words(parameter);
  return words;
}

void write_parameter_block(const std::vector<program_parameter>& parameters, const std::vector<argument>& arguments,
                           std::uint64_t* words, std::span<const index_t> grid) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == parameter_kind::scalar) {
      *words++ = arguments[i].scalar;
      continue;
    }
    const auto rank = static_cast<std::size_t>(parameters[i].rank);
    *words++ = std::bit_cast<std::uint64_t>(arguments[i].address);
    for (std::size_t axis = 0; axis < rank; ++axis) *words++ = static_cast<std::uint64_t>(arguments[i].extents[axis]);
    for (std::size_t axis = 0; axis < rank; ++axis) *words++ = static_cast<std::uint64_t>(arguments[i].strides[axis]);
    if (parameters[i].kind != parameter_kind::accum) continue;
    *words++ = rank < grid.size() ? static_cast<std::uint64_t>(grid[rank]) : 1;
  }
}

}  // namespace tilewright::compiler
