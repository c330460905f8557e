// SPDX-License-Identifier: Apache-2.0
// What blocks do to tensors that they may not: read what nobody wrote, leave an output unwritten, or use an element
// that another block of the launch writes.
#pragma once

#include "compiler/debug/element_users.hpp"
#include "compiler/debug/findings.hpp"
#include "compiler/debug/lanes.hpp"
#include "compiler/debug/shadow_memory.hpp"

namespace tilewright::compiler::debug {

class memory_faults {
 public:
  memory_faults(const program& source, const debug_options& options, shadow_memory& shadow, findings& found)
      : source_(source), options_(options), shadow_(shadow), found_(found) {}

  void begin(const block_run& block);
  // An instruction of memory category, with the elements that it used.
  void done(const instruction& i, const block_run& block, const std::vector<covered_lane>& lanes);
  void finish();  // after the last block

 private:
  struct output {
    tensor whole;
    index_t element_bytes;
    const std::byte *first, *last;  // addresses of its elements, in any order of theirs
  };
  void note_outputs(const block_run& block);
  bool may_be_written(const std::byte* element) const;
  void require_written(const instruction& i, const std::vector<covered_lane>& lanes);
  void require_no_other(const instruction& i, const std::vector<covered_lane>& lanes, use how);
  void add(debug_fault what, const instruction& i, const steps& element, std::string got, std::string fix);

  const program& source_;
  const debug_options& options_;
  shadow_memory& shadow_;
  findings& found_;
  std::vector<output> outputs_;       // by parameter; without a tensor where it is none
  const block_run* block_ = nullptr;  // the one that runs
  std::int64_t number_ = 0;           // of the block
  element_users users_;
};

std::string parameter_text(const program& source, std::int64_t parameter);  // "parameter 0 (Out)"
std::string place_text(const std::vector<index_t>& place);                  // "[3, 17]"

}  // namespace tilewright::compiler::debug
