// SPDX-License-Identifier: Apache-2.0
// What is computed of a program's tiles element by element, and what moves elements.
#pragma once

#include "support/fuzz/program_memory.hpp"

namespace tilewright::test {

class program_elements : protected program_memory {
 protected:
  using program_memory::program_memory;

  // ---- Element-wise: any row of the table
  op element_wise_op();
  typed element_wise();
  // Now and then another than to nearest even, of those that leave nothing open.
  std::vector<std::int64_t> some_rounding(op which, dtype element);
  // A value that broadcasts to a's shape or beyond, of a's element.
  typed partner(const typed& a);
  // Not zero; now and then the kernel has to see.
  typed divisor(const typed& b);
  typed condition();
  typed selected();
  typed converted();
  typed created();
  typed table();

  // ---- Shapes
  typed permuted(const typed& v);
  // Splits, merges, and axes of one, also to rank 0 and back.
  typed reshaped(const typed& v);
  typed repeated();
  typed extracted();
  typed joined_parts();
};

}  // namespace tilewright::test
