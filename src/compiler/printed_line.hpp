// SPDX-License-Identifier: Apache-2.0
// A line that a kernel prints, made of what the program knows of it and of the values that a block has there. Every
// back end of the host makes its lines here, so that they are equal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

struct printed_line {
  std::vector<std::string> pieces;  // of text: one more than there are values, which stand between them
  std::vector<value_type> values;   // the block's ids, then the operands
};

// "softmax.hpp:12 block (0, 3): " and what the author wrote.
printed_line line_of_print(const program& source, const instruction& print);

// Where each value stands in the memory that a block hands over: elements dense, in row-major order; then the size.
std::vector<std::size_t> places_of(const printed_line& line);

// With the newline. A tile is "[1, 2]", or "[[1, 2], [3, 4]]"; a float the shortest text that gives it back, a bool 0
// or 1.
std::string to_text(const printed_line& line, const std::byte* values);

// As bytes, for code that keeps them, and back; any alignment.
std::string to_bytes(const printed_line& line);
printed_line line_from_bytes(const char* bytes);

}  // namespace tilewright::compiler
