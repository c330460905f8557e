// SPDX-License-Identifier: Apache-2.0
// Loads and stores: a tile against the part of a tensor that it covers. Lanes past the tensor's edge are never
// touched in memory, and neither is anything when a tile lies outside.
#pragma once

#include "compiler/interp/rows.hpp"

namespace tilewright::compiler::interp {

// A tensor as the parameter block describes it: any strides, also 0 or negative.
struct tensor {
  std::byte* address;
  int rank;
  const std::int64_t* extents;
  const std::int64_t* strides;  // elements
};

// The box of lanes of a tile that lie inside a tensor, and where they start in memory.
struct covered {
  std::byte* memory;  // null: there are none
  int rank = 0;
  steps start{};  // its first element, in the tensor
  steps lanes{};
  steps step{};  // bytes
};
// Tile i begins at element i * `step` of each axis; by itself after the tile before.
covered covered_part(const tile& t, const tensor& whole, const steps& index, const steps& step);
covered covered_part(const tile& t, const tensor& whole, const steps& index);

// Reads the tile at `index` (in tiles) into `result`; other lanes get `pad`, or 0 when it is null.
void load(const tile& result, const tensor& from, const steps& index, std::byte* pad);
void load(const tile& result, const covered& part, std::byte* pad);

// Row r of the result is row `rows[r]` of the tensor, columns from tile `column` on; a row outside gives 0.
void gather_rows(const tile& result, const tensor& from, const tile& rows, std::int64_t column);

void store(const tensor& to, const steps& index, const tile& value);
// Row r of the tile to row `rows[r]` of the tensor, columns from tile `column` on; a row outside is left out.
void store_rows(const tensor& to, const tile& value, const tile& rows, std::int64_t column);

// Blocks of other threads may combine at the same time: each element in one step, in no order.
void combine(combiner by, const tensor& to, const steps& index, const tile& value);

// Combines array 1 into array 0. Null for elements that an Accum does not have.
row_function combine_function(combiner by, dtype element);

// Element n of a tile of integers, indices or bools; wraps to 64 bits.
std::int64_t integer_at(const tile& t, index_t n);

void fill(const tile& t, std::byte* element);

}  // namespace tilewright::compiler::interp
