// SPDX-License-Identifier: Apache-2.0
// One walk over a program that folds instructions, merges equal values and takes the branches and loops whose course
// is known.
#pragma once

#include <optional>
#include <vector>

#include "compiler/simplify/equal_values.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

class rewriter {
 public:
  rewriter(program& source, std::vector<std::optional<std::int64_t>> known);

  // True when another walk may find more.
  bool run();

 private:
  void rewrite(block& code);
  void rewrite(instruction next, std::vector<instruction>& kept);
  void rewrite_plain(instruction next, std::vector<instruction>& kept);
  void rewrite_loop(instruction loop, std::vector<instruction>& kept);
  void rewrite_carrying(instruction loop, std::vector<instruction>& kept);
  void rewrite_branch(instruction branch, std::vector<instruction>& kept);
  void rewrite_combined(instruction next, std::vector<instruction>& kept);
  void inline_block(block& body, const std::vector<value_id>& results, std::vector<instruction>& kept);
  void rewrite_inner(block& body);
  void carry_unchanged_values(instruction& loop);
  void note_stores(const block& code);
  void note_tiles(const block& code);
  void count_tiles(instruction& next) const;

  value_id resolve(value_id value) const { return replacement_[static_cast<std::size_t>(value)]; }
  void resolve_all(std::vector<value_id>& values) const {
    for (value_id& value : values) value = resolve(value);
  }
  void replace(value_id value, value_id by) { replacement_[static_cast<std::size_t>(value)] = by; }
  std::optional<std::int64_t>& constant(value_id value) { return constants_[static_cast<std::size_t>(value)]; }
  const std::optional<std::int64_t>& known(value_id value) const { return known_[static_cast<std::size_t>(value)]; }

  program& source_;
  std::vector<std::optional<std::int64_t>> known_;      // by value, from its range
  std::vector<std::optional<std::int64_t>> constants_;  // by value, of constants met so far
  std::vector<value_id> replacement_;                   // by value: the value that stands for it
  std::vector<std::int64_t> stores_;                    // by parameter: how many were met; tells loads apart
  // Tiles that divide their axis: its extent over theirs is their number.
  struct tile_axis {
    std::int64_t parameter, axis, tile;
    bool operator==(const tile_axis&) const = default;
  };
  std::vector<tile_axis> whole_tiles_;
  struct tensor_axis {
    std::int64_t parameter, axis;
  };
  std::vector<std::optional<tensor_axis>> extents_;  // by value: whose extent it is
  equal_values equals_;
  bool may_find_more_ = false;
};

}  // namespace tilewright::compiler
