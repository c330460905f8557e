// SPDX-License-Identifier: Apache-2.0
// Findings of one launch, one for each operation and kind.
#pragma once

#include <utility>
#include <vector>

#include "compiler/interp/block_run.hpp"
#include "tilewright/compiler/debug_report.hpp"

namespace tilewright::compiler::debug {

// Of an instruction; null: the kernel.
debug_place place_of(const program& source, const instruction* i, std::vector<index_t> block);
std::vector<index_t> block_of(const program& source, const interp::block_run& block);

class findings {
 public:
  // The same operation again counts alone.
  void add(debug_finding&& found);
  std::vector<debug_finding> take() { return std::move(all_); }

 private:
  std::vector<debug_finding> all_;
};

}  // namespace tilewright::compiler::debug
