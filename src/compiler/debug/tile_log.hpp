// SPDX-License-Identifier: Apache-2.0
// Keeps the values of the tiles that somebody asked for.
#pragma once

#include <unordered_map>

#include "compiler/debug/findings.hpp"
#include "compiler/debug/value_origins.hpp"

namespace tilewright::compiler::debug {

class tile_log {
 public:
  tile_log(const program& source, const debug_options& options) : source_(source), options_(options) {}

  void begin(const block_run& block);
  void done(const instruction& i, const block_run& block, const value_origins& origins);
  void give(debug_report& report);

 private:
  bool is_wanted(const debug_place& place) const;
  void keep(debug_place place, std::int64_t round, const tile& t, value_id value, const value_origins& origins);

  const program& source_;
  const debug_options& options_;
  bool is_chosen_ = false;                                       // the block
  std::unordered_map<const instruction*, std::int64_t> rounds_;  // of the block
  std::vector<debug_tile> tiles_;
  std::int64_t later_rounds_ = 0;
};

}  // namespace tilewright::compiler::debug
