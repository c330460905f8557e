// SPDX-License-Identifier: Apache-2.0
// What a launch tells the compiler: values of Dims, the tensors' forms, and the few facts of them that an image may
// rely on. Facts, not extents, are part of an image's key: a growing tensor does not recompile.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/base/schedule.hpp"

namespace tilewright::compiler {

// One host argument as the launch sees it. Strides count elements. A scalar has rank 0 and its bits in `scalar`.
struct argument {
  const void* address = nullptr;
  std::int8_t rank = 0;
  std::array<index_t, max_rank> extents{};
  std::array<index_t, max_rank> strides{};
  std::array<index_t, max_rank> piece{};  // of outputs: extents of a block's piece, from partition({...}); else 0
  index_t shared_by = not_stated;         // of an Accum: how many blocks share a piece, from shared_by(n)
  index_t index_bound = not_stated;       // of unique indices, from their check: each is at least 0 and under it
  std::uint64_t scalar = 0;               // zero-extended bits
};

// What an image may assume of one tensor parameter. Every `false`/1 is always safe: a more general image serves.
struct tensor_facts {
  std::int32_t alignment_bytes = 1;                     // of the base address: a power of two, 128 at most
  std::array<std::int32_t, max_rank> stride_divisor{};  // power of two, 16 elements at most; 0 past the rank
  std::array<bool, max_rank> unit_stride{};             // stride is exactly 1
  std::array<bool, max_rank> in_sixteens{};             // extent is a multiple of 16; said for unit strides, of GPUs
  std::array<bool, max_rank> divides{};      // no tile used on the axis overhangs; extent is a multiple of each's step
  std::array<bool, max_rank> single_tile{};  // of every kind of tile used on the axis there is exactly one
  bool fits_31_bits = false;                 // extents and byte offsets all stay under 2^31, from 0 on
  bool operator==(const tensor_facts&) const = default;
};

struct specialization {
  std::vector<index_t> dims;        // value of symbol s of the module
  std::vector<tensor_facts> facts;  // by parameter; scalars have defaults
  tilewright::schedule schedule;    // only images for GPUs depend on it
  bool operator==(const specialization&) const = default;
};

// A launch with every Dim given its value: what bind, the checks and the image key need.
struct bound_arguments {
  specialization special;
  std::vector<index_t> grid;  // logical blocks on each axis; the product may be 0
};

// Gives each symbol a value (pieces, named extents, `with`, `defaults`, in this order) and derives grid and facts.
// Throws usage_error: rank, an extent that a number or Dim forbids, two sources that disagree (naming both), a Dim
// without a source, outputs whose grids differ, a tile extent under 1. `with` and `defaults` hold (symbol name, value).
struct named_extent {
  std::string name;
  index_t value;
};
TILEWRIGHT_API bound_arguments bind_arguments(const ast::module_view& module, const std::vector<argument>& arguments,
                                              const std::vector<named_extent>& with,
                                              const std::vector<named_extent>& defaults);

}  // namespace tilewright::compiler
