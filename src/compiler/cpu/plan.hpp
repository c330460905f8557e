// SPDX-License-Identifier: Apache-2.0
// Decides, before any code is made, where each value of a program lives and lays out the scratch memory.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

enum class value_home : std::uint8_t {
  scalar,    // rank 0: an SSA value, computed where it is defined
  fused,     // a tile computed element by element wherever it is used
  stored,    // a tile in scratch memory, dense and row-major, written where it is defined
  absorbed,  // the inner one of two nested reductions, done by the outer one
};

// Rooms of a matrix product in scratch memory; -1 where none is needed.
struct product_rooms {
  std::int64_t left = -1, right_source = -1, right_panels = -1, wide_result = -1;
};

struct kernel_plan {
  std::vector<value_home> homes;                // by value
  std::vector<std::int64_t> offsets;            // by value: byte offset in scratch of stored ones
  std::vector<const instruction*> definitions;  // by value; null for arguments of blocks
  std::map<const instruction*, product_rooms> products;
  std::int64_t scratch_bytes = 0;
  int lanes = 16;  // of the vectors that element-wise code works with

  value_home home(value_id id) const { return homes[static_cast<std::size_t>(id)]; }
  std::int64_t offset(value_id id) const { return offsets[static_cast<std::size_t>(id)]; }
  const instruction* definition(value_id id) const { return definitions[static_cast<std::size_t>(id)]; }
};

kernel_plan plan_kernel(const program& source, int vector_bytes);

// Adds a room to the scratch memory and gives its byte offset. Behind it is space for a vector read past its end.
std::int64_t take_room(std::int64_t& scratch_bytes, std::int64_t bytes);
std::int64_t stored_bytes(const value_type& type);  // of a tile in its room

// The element that mma computes in.
dtype product_element(const value_type& result);
// What is read in place of an operand of mma, and whether rows and columns swap: permute<1, 0>, or of a batch
// permute<0, 2, 1>, costs nothing there.
struct product_operand {
  value_id source;
  bool is_transposed;
};
product_operand operand_of_product(const kernel_plan& plan, value_id id);
// Of a matrix, or each of a batch, whose products number products_of(result).
std::int64_t rows_of(const value_type& matrices);
std::int64_t columns_of(const value_type& matrices);
std::int64_t products_of(const value_type& result);
int panel_lanes(const value_type& result, int vector_bytes);  // columns of a packed panel
// Of all panels of one product.
std::int64_t panels_bytes(const value_type& result, std::int64_t depth, int vector_bytes);

}  // namespace tilewright::compiler
