// SPDX-License-Identifier: Apache-2.0
// Block-quantised matrices as planes that kernels can tile, and how GGUF block bytes become such planes (once, at
// load; the weights stay quantised). Host side only: the kernels are in quantized_product.hpp and embedding.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tilewright/base/config.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::kernels {

inline constexpr index_t quant_block = 32;           // elements that share one scale
inline constexpr index_t nibble_column_unit = 64;    // columns of a 4-bit matrix come in this unit
inline constexpr std::size_t q4_0_block_bytes = 18;  // f16 scale, 16 bytes of two quants
inline constexpr std::size_t q4_1_block_bytes = 20;  // f16 scale, f16 minimum, 16 bytes of two quants
inline constexpr std::size_t q8_0_block_bytes = 34;  // f16 scale, 32 signed quants

// A matrix [rows, columns] of 4-bit quants. With groups G = columns / 64:
//   quants [rows, G, 32]  byte (n, g, j): low nibble is element g*32+j, high nibble element columns/2 + g*32+j
//   scales [rows, 2, G]   of the low and of the high half; minimums likewise
// value = quant * scale + minimum, both widened from the file's f16 once, which the products then need not do for each
// use. Q4_0, (quant - 8) * scale, becomes the same with minimum = -8 scale, exactly: one
// kernel serves both.
struct nibble_planes {
  index_t rows = 0;
  index_t columns = 0;
  std::vector<u8> quants;
  std::vector<f32> scales;
  std::vector<f32> minimums;

  index_t groups() const { return columns / nibble_column_unit; }
};

// A matrix [rows, columns] of 8-bit quants: quants [rows, columns], scales [rows, columns / 32].
// value = quant * scale.
struct byte_planes {
  index_t rows = 0;
  index_t columns = 0;
  std::vector<i8> quants;
  std::vector<f32> scales;

  index_t groups() const { return columns / quant_block; }
};

// Append `rows` rows of raw GGUF blocks to planes, which must be empty or have the same columns. Appending matrices one
// after the other gives one matrix for one product (query, key and value weights, for example).
// Throws usage_error, planes unchanged: columns not a multiple of 64 (Q8_0: 32) or other than the planes', byte count
// that does not fit rows and columns.
TILEWRIGHT_API void append_q4_0(nibble_planes& planes, std::span<const std::byte> blocks, index_t rows,
                                index_t columns);
TILEWRIGHT_API void append_q4_1(nibble_planes& planes, std::span<const std::byte> blocks, index_t rows,
                                index_t columns);
TILEWRIGHT_API void append_q8_0(byte_planes& planes, std::span<const std::byte> blocks, index_t rows, index_t columns);

}  // namespace tilewright::kernels
