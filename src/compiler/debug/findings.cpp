// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/findings.hpp"

#include <algorithm>

#include "compiler/location.hpp"

namespace tilewright::compiler::debug {

debug_place place_of(const program& source, const instruction* i, std::vector<index_t> block) {
  debug_place place{.kernel = source.module->name, .file = {}, .line = 0, .operation = {}, .block = std::move(block)};
  if (i == nullptr) return place;
  auto [file, line] = line_of(*source.module, i->location);
  place.file = std::move(file);
  place.line = line;
  place.operation = ast::info(i->op).name;
  return place;
}

std::vector<index_t> block_of(const program& source, const interp::block_run& block) {
  return {block.block_id().begin(), block.block_id().begin() + source.grid_rank};
}

void findings::add(debug_finding&& found) {
  const auto is_same = [&](const debug_finding& each) {
    return each.what == found.what && each.parameter == found.parameter && each.place.line == found.place.line &&
           each.place.file == found.place.file && each.place.operation == found.place.operation;
  };
  const auto known = std::find_if(all_.begin(), all_.end(), is_same);
  if (known == all_.end()) return all_.push_back(std::move(found));
  known->count += found.count;
}

}  // namespace tilewright::compiler::debug
