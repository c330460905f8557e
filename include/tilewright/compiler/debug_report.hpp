// SPDX-License-Identifier: Apache-2.0
// What a debugger is asked for, and what it found: values of tiles, block by block, and faults with the line of the
// kernel where they begin. tilewright/runtime/debug.hpp has the device that makes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/base/config.hpp"
#include "tilewright/base/dim.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright {

struct debug_options {
  // ---- Values: of these blocks, by their place in the grid; none unless named.
  std::vector<std::vector<index_t>> blocks;
  bool has_every_block = false;
  std::vector<std::string> lines;  // "23" or "gemm.hpp:23": of these lines alone; none: of all
  index_t elements = 64;           // of a larger tile half as many from each end are kept
  std::int64_t rounds = 4;         // of an operation in a loop the first ones are kept
  // ---- Findings
  bool has_nan = true;            // NaN that reach an output
  bool has_infinity = false;      // the same for infinities, which many kernels mean
  bool has_uninitialised = true;  // reads of elements that nobody has written, outputs that a launch leaves so
  bool has_races = true;          // blocks of a launch that use one element, and one of them writes
};

// An operation of a block.
struct debug_place {
  std::string kernel, file;
  int line = 0;
  std::string operation;
  std::vector<index_t> block;  // its place in the grid
};

// What an operation gave, or stored.
struct debug_tile {
  debug_place place;
  std::int64_t round = 0;  // how often the block did the operation before
  dtype element = dtype::f32;
  std::vector<index_t> extents;
  // Row-major: all, or the first and the last half of debug_options::elements. Integers past 2^53 are rounded.
  std::vector<double> values;
  std::vector<bool> outside;       // by value: it lies past a tensor's edge, or was made of one that does
  double least = 0, greatest = 0;  // of all numbers inside; 0 when there is none
  std::int64_t nans = 0, infinities = 0, outsides = 0;

  std::int64_t size() const {
    std::int64_t count = 1;
    for (const index_t extent : extents) count *= extent;
    return count;
  }
};

enum class debug_fault : std::uint8_t { nan, infinity, uninitialised, unwritten, race };

// One for each operation and kind of fault of a launch, told by its first element.
struct debug_finding {
  debug_fault what = debug_fault::nan;
  debug_place place;             // where it begins; of what a launch left unwritten, the kernel alone
  int parameter = -1;            // whose element it is: where a NaN was stored first; else what was used
  std::vector<index_t> element;  // its position in the tensor
  std::string got, fix;
  std::int64_t count = 1;  // of elements, in all blocks
};

struct debug_report {
  std::vector<debug_tile> tiles;
  std::int64_t later_rounds = 0;  // whose values were not kept
  std::vector<debug_finding> findings;
};

TILEWRIGHT_API std::string to_text(const debug_tile& tile);
TILEWRIGHT_API std::string to_text(const debug_finding& finding);
// Tiles, then findings.
TILEWRIGHT_API std::string to_text(const debug_report& report);

}  // namespace tilewright
