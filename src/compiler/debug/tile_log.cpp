// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/tile_log.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace tilewright::compiler::debug {
namespace {

// Constants stand in the source, and what loops, branches and conversions to the same element give is seen where it is
// made.
bool has_news(const program& source, const instruction& i) {
  const auto element_of = [&](value_id value) { return source.values[static_cast<std::size_t>(value)].element; };
  if (i.op == ast::op::cast && element_of(i.results[0]) == element_of(i.operands[0])) return false;
  const ast::op_category category = ast::info(i.op).category;
  if (category == ast::op_category::structure) return i.op == ast::op::scalar || ast::has_combiner(i.op);
  return i.op != ast::op::constant && (i.results.size() == 1 || ast::writes_piece(i.op));
}

}  // namespace

void tile_log::begin(const block_run& block) {
  rounds_.clear();
  const auto& wanted = options_.blocks;
  is_chosen_ =
      options_.has_every_block || std::find(wanted.begin(), wanted.end(), block_of(source_, block)) != wanted.end();
}

bool tile_log::is_wanted(const debug_place& place) const {
  const auto names = [&](const std::string& line) {
    const std::string number = std::to_string(place.line);
    return line == number || line == place.file + ":" + number;
  };
  return options_.lines.empty() || std::any_of(options_.lines.begin(), options_.lines.end(), names);
}

void tile_log::done(const instruction& i, const block_run& block, const value_origins& origins) {
  if (!is_chosen_ || !has_news(source_, i)) return;
  debug_place place = place_of(source_, &i, block_of(source_, block));
  if (!is_wanted(place)) return;
  const std::int64_t round = rounds_[&i]++;
  if (round >= options_.rounds) return void(++later_rounds_);
  const auto kept = i.results.empty() ? std::span(i.operands).first(1) : std::span(i.results);
  for (const value_id value : kept) keep(place, round, block.value(value), value, origins);
}

void tile_log::keep(debug_place place, std::int64_t round, const tile& t, value_id value,
                    const value_origins& origins) {
  const std::vector<double> numbers = numbers_of(t);
  const index_t size = t.size(), half = std::max<index_t>(options_.elements / 2, 1);
  const bool is_whole = size <= std::max<index_t>(options_.elements, 2);
  debug_tile made;
  made.place = std::move(place);
  made.round = round;
  made.element = t.type.element;
  made.extents.assign(t.type.extents.begin(), t.type.extents.begin() + t.type.rank);
  bool has_number = false;
  for (index_t n = 0; n < size; ++n) {
    const double number = numbers[static_cast<std::size_t>(n)];
    const bool is_outside = origins.is_outside(value, n);
    if (is_whole || n < half || n >= size - half) {
      made.values.push_back(number);
      made.outside.push_back(is_outside);
    }
    if (is_outside) {
      ++made.outsides;
    } else if (std::isnan(number)) {
      ++made.nans;
    } else {
      if (std::isinf(number)) ++made.infinities;
      made.least = has_number ? std::min(made.least, number) : number;
      made.greatest = has_number ? std::max(made.greatest, number) : number;
      has_number = true;
    }
  }
  tiles_.push_back(std::move(made));
}

void tile_log::give(debug_report& report) {
  for (debug_tile& each : tiles_) report.tiles.push_back(std::move(each));
  report.later_rounds += later_rounds_;
}

}  // namespace tilewright::compiler::debug
