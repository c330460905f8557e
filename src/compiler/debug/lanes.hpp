// SPDX-License-Identifier: Apache-2.0
// Lanes of tiles one by one: their numbers, their places, and the elements of tensors that they read or write.
#pragma once

#include <vector>

#include "compiler/interp/block_run.hpp"

namespace tilewright::compiler::debug {

using interp::block_run;
using interp::steps;
using interp::tensor;
using interp::tile;

// Row-major; integers past 2^53 are rounded.
std::vector<double> numbers_of(const tile& t);
std::vector<index_t> place_of_lane(const value_type& shape, index_t lane);
// By lane of `shape`: the lane of the operand that it reads, where shapes are broadcast.
std::vector<index_t> broadcast_lanes(const tile& operand, const value_type& shape);
std::string number_text(double number, dtype element);

// A lane of an instruction that reads or writes a tensor, inside the tensor.
struct covered_lane {
  index_t lane;
  std::byte* address;
  steps place;  // in the tensor
};
std::vector<covered_lane> covered_lanes(const instruction& i, const block_run& block);
std::vector<covered_lane> elements_of(const tensor& whole, index_t element_bytes);

// The tile that an instruction reads into, or writes from.
inline tile accessed_tile(const instruction& i, const block_run& block) {
  return block.value(i.results.empty() ? i.operands[0] : i.results[0]);
}

}  // namespace tilewright::compiler::debug
