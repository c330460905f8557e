// SPDX-License-Identifier: Apache-2.0
// GGUF block bytes to planes. A GGUF block of 32 holds element j and element j + 16 in one byte; a plane's byte holds
// two elements that lie half a row apart, so that each half is a contiguous run for the product kernels.
#include "tilewright/kernels/quantized.hpp"

#include <limits>
#include <string>

#include "tilewright/base/error.hpp"

namespace tilewright::kernels {
namespace {

struct block_format {
  const char* name;
  std::size_t block_bytes;
  index_t column_unit;
  bool has_minimums;
};
constexpr block_format q4_0{"Q4_0", q4_0_block_bytes, nibble_column_unit, false};
constexpr block_format q4_1{"Q4_1", q4_1_block_bytes, nibble_column_unit, true};
constexpr block_format q8_0{"Q8_0", q8_0_block_bytes, quant_block, false};

[[noreturn]] void refuse(const block_format& format, std::string what, std::string expected, std::string got) {
  throw usage_error({.what = std::move(what),
                     .where = std::string("repacking ") + format.name + " blocks",
                     .expected = std::move(expected),
                     .got = std::move(got),
                     .fix = "pass the tensor's own shape and all of its bytes"});
}

// Rows, columns and bytes agree, and the planes (of `old_columns`, 0 when empty) can take them.
void check_blocks(const block_format& format, std::size_t bytes, index_t rows, index_t columns, index_t old_columns) {
  if (rows < 0) refuse(format, "negative row count", "0 or more", std::to_string(rows));
  if (columns <= 0 || columns % format.column_unit != 0) {
    refuse(format, "column count does not fit the block format", "a multiple of " + std::to_string(format.column_unit),
           std::to_string(columns));
  }
  if (old_columns != 0 && old_columns != columns) {
    refuse(format, "column count differs from the planes", std::to_string(old_columns), std::to_string(columns));
  }
  const std::size_t row_bytes = static_cast<std::size_t>(columns / quant_block) * format.block_bytes;
  const auto row_count = static_cast<std::size_t>(rows);
  if (row_count > std::numeric_limits<std::size_t>::max() / row_bytes || row_count * row_bytes != bytes) {
    refuse(format, "byte count does not fit rows and columns",
           std::to_string(rows) + " rows of " + std::to_string(row_bytes) + " bytes", std::to_string(bytes) + " bytes");
  }
}

u8 byte_at(std::span<const std::byte> bytes, std::size_t position) { return std::to_integer<u8>(bytes[position]); }

f32 f16_at(std::span<const std::byte> bytes, std::size_t position) {
  return static_cast<f32>(f16::from_bits(
      static_cast<std::uint16_t>(byte_at(bytes, position) | byte_at(bytes, position + 1) << 8)));  // little-endian
}

// Joins block `low` with the block half a row further: 32 bytes, each with one element of both.
void join_blocks(std::span<const std::byte> low, std::span<const std::byte> high, std::span<u8> joined) {
  constexpr std::size_t half = quant_block / 2;
  for (std::size_t j = 0; j < half; ++j) {
    const unsigned a = byte_at(low, j);
    const unsigned b = byte_at(high, j);
    joined[j] = static_cast<u8>((a & 0x0fU) | (b << 4 & 0xf0U));
    joined[half + j] = static_cast<u8>(a >> 4 | (b & 0xf0U));
  }
}

void append_nibble_row(nibble_planes& planes, std::span<const std::byte> row, const block_format& format) {
  const std::size_t header = format.has_minimums ? 4 : 2;
  const std::size_t half_bytes = row.size() / 2;
  for (std::size_t start = 0; start < half_bytes; start += format.block_bytes) {
    const std::size_t at = planes.quants.size();
    planes.quants.resize(at + quant_block);
    join_blocks(row.subspan(start + header, quant_block / 2), row.subspan(half_bytes + start + header, quant_block / 2),
                std::span(planes.quants).subspan(at, quant_block));
  }
  for (std::size_t start = 0; start < row.size(); start += format.block_bytes) {
    const f32 scale = f16_at(row, start);
    planes.scales.push_back(scale);
    planes.minimums.push_back(format.has_minimums ? f16_at(row, start + 2) : -8.0f * scale);
  }
}

void append_nibbles(nibble_planes& planes, std::span<const std::byte> blocks, index_t rows, index_t columns,
                    const block_format& format) {
  check_blocks(format, blocks.size(), rows, columns, planes.columns);
  const auto more = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  planes.quants.reserve(planes.quants.size() + more / 2);
  planes.columns = columns;
  const std::size_t row_bytes = static_cast<std::size_t>(columns / quant_block) * format.block_bytes;
  for (index_t row = 0; row < rows; ++row) {
    append_nibble_row(planes, blocks.subspan(static_cast<std::size_t>(row) * row_bytes, row_bytes), format);
  }
  planes.rows += rows;
}

}  // namespace

void append_q4_0(nibble_planes& planes, std::span<const std::byte> blocks, index_t rows, index_t columns) {
  append_nibbles(planes, blocks, rows, columns, q4_0);
}

void append_q4_1(nibble_planes& planes, std::span<const std::byte> blocks, index_t rows, index_t columns) {
  append_nibbles(planes, blocks, rows, columns, q4_1);
}

void append_q8_0(byte_planes& planes, std::span<const std::byte> blocks, index_t rows, index_t columns) {
  check_blocks(q8_0, blocks.size(), rows, columns, planes.columns);
  planes.columns = columns;
  planes.quants.reserve(planes.quants.size() + static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (std::size_t start = 0; start < blocks.size(); start += q8_0.block_bytes) {
    planes.scales.push_back(f16_at(blocks, start));
    for (std::size_t j = 0; j < quant_block; ++j) {
      planes.quants.push_back(static_cast<i8>(byte_at(blocks, start + 2 + j)));
    }
  }
  planes.rows += rows;
}

}  // namespace tilewright::kernels
