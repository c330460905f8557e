// SPDX-License-Identifier: Apache-2.0
// The parameter block that every image reads.
#include <bit>

#include "tilewright/compiler/image.hpp"

namespace tilewright::compiler {

std::size_t parameter_block_words(const std::vector<program_parameter>& parameters) {
  std::size_t words = 0;
  for (const program_parameter& parameter : parameters) {
    words += parameter.kind == parameter_kind::scalar ? 1 : 1 + 2 * static_cast<std::size_t>(parameter.rank);
  }
  return words;
}

void write_parameter_block(const std::vector<program_parameter>& parameters, const std::vector<argument>& arguments,
                           std::uint64_t* words) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == parameter_kind::scalar) {
      *words++ = arguments[i].scalar;
      continue;
    }
    const auto rank = static_cast<std::size_t>(parameters[i].rank);
    *words++ = std::bit_cast<std::uint64_t>(arguments[i].address);
    for (std::size_t axis = 0; axis < rank; ++axis) *words++ = static_cast<std::uint64_t>(arguments[i].extents[axis]);
    for (std::size_t axis = 0; axis < rank; ++axis) *words++ = static_cast<std::uint64_t>(arguments[i].strides[axis]);
  }
}

}  // namespace tilewright::compiler
