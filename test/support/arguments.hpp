// SPDX-License-Identifier: Apache-2.0
// Host arguments as the compiler sees them, without memory behind them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "tilewright/compiler/specialization.hpp"

namespace tilewright::test {

// A dense row-major tensor at `address`; a piece makes it an output.
inline compiler::argument dense(std::initializer_list<index_t> extents, std::initializer_list<index_t> piece = {},
                                std::uintptr_t address = 0x1000) {
  compiler::argument made;
  made.address = reinterpret_cast<const void*>(address);
  for (const index_t extent : extents) made.extents[static_cast<std::size_t>(made.rank++)] = extent;
  index_t stride = 1;
  for (int axis = made.rank - 1; axis >= 0; --axis) {
    made.strides[static_cast<std::size_t>(axis)] = stride;
    stride *= made.extents[static_cast<std::size_t>(axis)];
  }
  std::size_t axis = 0;
  for (const index_t extent : piece) made.piece[axis++] = extent;
  return made;
}

inline compiler::argument shared(compiler::argument output, index_t blocks) {
  output.shared_by = blocks;
  return output;
}

inline compiler::argument scalar_bits(std::uint64_t bits) {
  compiler::argument made;
  made.scalar = bits;
  return made;
}

}  // namespace tilewright::test
