// SPDX-License-Identifier: Apache-2.0
// Where NaN and infinities begin: each lane of each value has a note of the operation that made what it holds, and of
// whether it lies past the edge of a tensor. Notes move as the elements do. What reaches an output is a finding of the
// operation where it began; what a select() drops, or lies past the edge, is none.
#pragma once

#include <string>

#include "compiler/debug/findings.hpp"
#include "compiler/debug/lanes.hpp"
#include "compiler/debug/shadow_memory.hpp"

namespace tilewright::compiler::debug {

class value_origins {
 public:
  value_origins(const program& source, const debug_options& options, const shadow_memory& shadow, findings& found);

  void begin(const block_run& block);
  // `lanes`: the elements that it used, of memory category.
  void done(const instruction& i, const block_run& block, const std::vector<covered_lane>& lanes);
  void copied(std::span<const value_id> to, std::span<const value_id> from);
  void finish();  // after the last block

  bool is_outside(value_id value, index_t lane) const { return (notes(value)[at(lane)] & outside) != 0; }

 private:
  using note = std::uint32_t;  // number of an origin of the block, 0 for none, and the bit `outside`
  static constexpr note outside = note{1} << 31, number = outside - 1;

  struct origin {
    const instruction* where;
    debug_fault what;
    std::string got;
    std::int64_t count = 0;
    int parameter = -1;  // where it was stored first; -1: nowhere yet
    std::vector<index_t> element;
  };
  enum class special : std::uint8_t { none, nan, infinity };

  static std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }
  std::vector<note>& notes(value_id value) { return notes_[at(value)]; }
  const std::vector<note>& notes(value_id value) const { return notes_[at(value)]; }
  tile noted(value_id value);

  special kind_of(double value, dtype element) const;
  std::vector<special> kinds_of(const tile& t) const;
  note begin_at(const instruction& i, special what, const std::string& got);
  std::string operands_text(const instruction& i, const block_run& block, const std::vector<index_t>& lanes) const;

  void move(const instruction& i);
  void read(const instruction& i, const block_run& block, const std::vector<covered_lane>& lanes);
  void store(const instruction& i, const std::vector<covered_lane>& lanes);
  void scalar(const instruction& i, const block_run& block);
  void element_wise(const instruction& i, const block_run& block);
  void along_axis(const instruction& i, const block_run& block);
  void along_axis(const instruction& i, const block_run& block, value_id made_value);
  void mma(const instruction& i, const block_run& block);

  const program& source_;
  const debug_options& options_;
  const shadow_memory& shadow_;
  findings& found_;
  std::vector<value_type> note_types_;    // by value, as the value's with the element of notes
  std::vector<std::vector<note>> notes_;  // by value and lane
  std::vector<index_t> block_;            // the one that runs
  std::vector<origin> origins_;           // of the block
};

}  // namespace tilewright::compiler::debug
