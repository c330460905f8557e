// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/value_origins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/debug/memory_faults.hpp"
#include "compiler/interp/movement.hpp"

namespace tilewright::compiler::debug {
namespace {

using ast::op;
using ast::op_category;

std::string fix_for(op where) {
  switch (where) {
    case op::load:
    case op::load_window:
    case op::load_piece:
    case op::gather_rows:
    case op::gather:
    case op::scalar:
      return "look at the host code that gave the argument";
    case op::divide:
    case op::rsqrt:
      return "keep the divisor from 0, or select() the lanes where it is none";
    case op::log:
    case op::log2:
    case op::sqrt:
    case op::pow:
      return "keep the operand where the function has a value, or select() those lanes";
    case op::exp:
    case op::exp2:
      return "subtract the greatest operand first";
    case op::cast:
      return "scale it first, or keep it in a wider element";
    default:
      return "look at its operands: an overflow, or infinities that cancel or meet a 0";
  }
}

}  // namespace

value_origins::value_origins(const program& source, const debug_options& options, const shadow_memory& shadow,
                             findings& found)
    : source_(source), options_(options), shadow_(shadow), found_(found) {
  for (value_type type : source.values) {
    notes_.emplace_back(at(type.elements()));
    type.element = dtype::u32;
    note_types_.push_back(type);
  }
}

void value_origins::begin(const block_run& block) {
  finish();
  block_ = block_of(source_, block);
}

void value_origins::finish() {
  for (origin& each : origins_) {
    if (each.parameter < 0) continue;
    found_.add({.what = each.what,
                .place = place_of(source_, each.where, block_),
                .parameter = each.parameter,
                .element = std::move(each.element),
                .got = std::move(each.got),
                .fix = fix_for(each.where->op),
                .count = each.count});
  }
  origins_.clear();
}

tile value_origins::noted(value_id value) {
  return {note_types_[at(value)], std::as_writable_bytes(std::span(notes(value))).data()};
}

void value_origins::copied(std::span<const value_id> to, std::span<const value_id> from) {
  for (std::size_t n = 0; n < to.size() && n < from.size(); ++n) notes(to[n]) = notes(from[n]);
}

value_origins::special value_origins::kind_of(double value, dtype element) const {
  if (!is_floating(element)) return special::none;
  if (std::isnan(value)) return options_.has_nan ? special::nan : special::none;
  return options_.has_infinity && std::isinf(value) ? special::infinity : special::none;
}

std::vector<value_origins::special> value_origins::kinds_of(const tile& t) const {
  std::vector<special> kinds;
  for (const double each : numbers_of(t)) kinds.push_back(kind_of(each, t.type.element));
  return kinds;
}

value_origins::note value_origins::begin_at(const instruction& i, special what, const std::string& got) {
  const debug_fault fault = what == special::nan ? debug_fault::nan : debug_fault::infinity;
  auto found = std::find_if(origins_.begin(), origins_.end(),
                            [&](const origin& each) { return each.where == &i && each.what == fault; });
  if (found == origins_.end()) {
    origins_.push_back({&i, fault, got, 0, -1, {}});
    found = origins_.end() - 1;
  }
  ++found->count;
  return static_cast<note>(found - origins_.begin()) + 1;
}

void value_origins::done(const instruction& i, const block_run& block, const std::vector<covered_lane>& lanes) {
  if (ast::has_combiner(i.op)) return along_axis(i, block);
  switch (ast::info(i.op).category) {
    case op_category::structure:
      if (i.op == op::scalar) scalar(i, block);
      return;  // what loops and branches give was copied
    case op_category::memory:
      return i.results.empty() ? store(i, lanes) : read(i, block, lanes);
    case op_category::shape:
      return move(i);
    case op_category::unary:
    case op_category::binary:
    case op_category::comparison:
    case op_category::ternary:
    case op_category::convert:
      return element_wise(i, block);
    case op_category::reduce:
    case op_category::scan:
      return along_axis(i, block);
    case op_category::matrix:
      return mma(i, block);
    case op_category::position:
    case op_category::create:  // what the author wrote
      if (!i.results.empty()) std::fill(notes(i.results[0]).begin(), notes(i.results[0]).end(), note{0});
  }
}

void value_origins::move(const instruction& i) {
  const tile operands[] = {noted(i.operands[0]), noted(i.operands.back())};
  interp::move_elements(i, noted(i.results[0]), std::span(operands).first(i.operands.size()));
}

void value_origins::scalar(const instruction& i, const block_run& block) {
  const tile value = block.value(i.results[0]);
  const double given = numbers_of(value)[0];
  const special kind = kind_of(given, value.type.element);
  const auto got = [&] { return number_text(given, value.type.element) + " given as an argument"; };
  notes(i.results[0])[0] = kind == special::none ? 0 : begin_at(i, kind, got());
}

// What a launch of this device stored was a finding of that launch.
void value_origins::read(const instruction& i, const block_run& block, const std::vector<covered_lane>& lanes) {
  const tile t = block.value(i.results[0]);
  const std::vector<double> values = numbers_of(t);
  std::vector<note>& made = notes(i.results[0]);
  std::fill(made.begin(), made.end(), outside);
  const int rank = source_.parameters[at(i.attributes[0])].rank;
  for (const covered_lane& each : lanes) {
    const double value = values[at(each.lane)];
    const special kind = kind_of(value, t.type.element);
    made[at(each.lane)] = 0;
    if (kind == special::none || shadow_.at(each.address) != written::by_host) continue;
    const std::vector<index_t> place(each.place.begin(), each.place.begin() + rank);
    made[at(each.lane)] = begin_at(i, kind,
                                   fmt::format("{} in {} at {}, from the host", number_text(value, t.type.element),
                                               parameter_text(source_, i.attributes[0]), place_text(place)));
  }
}

void value_origins::store(const instruction& i, const std::vector<covered_lane>& lanes) {
  const std::vector<note>& stored = notes(i.operands[0]);
  const int rank = source_.parameters[at(i.attributes[0])].rank;
  for (const covered_lane& each : lanes) {
    const note from = stored[at(each.lane)] & number;
    if (from == 0 || origins_[from - 1].parameter >= 0) continue;
    origins_[from - 1].parameter = static_cast<int>(i.attributes[0]);
    origins_[from - 1].element.assign(each.place.begin(), each.place.begin() + rank);
  }
}

std::string value_origins::operands_text(const instruction& i, const block_run& block,
                                         const std::vector<index_t>& lanes) const {
  std::string text = std::string(ast::info(i.op).name) + "(";
  for (std::size_t o = 0; o < i.operands.size(); ++o) {
    const tile operand = block.value(i.operands[o]);
    text += (o == 0 ? "" : ", ") + number_text(numbers_of(operand)[at(lanes[o])], operand.type.element);
  }
  return text + ")";
}

// A float is what its operands are, if it is as special as one of them. Another element is noted for what it was made
// of, but that a comparison decides something is no fault. Of a select() what was not chosen does not matter.
void value_origins::element_wise(const instruction& i, const block_run& block) {
  const tile result = block.value(i.results[0]);
  const dtype element = result.type.element;
  const bool is_comparison = ast::info(i.op).category == op_category::comparison;
  const std::vector<double> values = numbers_of(result);
  std::vector<std::vector<double>> operands;
  std::vector<std::vector<index_t>> lanes_of;
  for (const value_id operand : i.operands) {
    operands.push_back(numbers_of(block.value(operand)));
    lanes_of.push_back(broadcast_lanes(block.value(operand), result.type));
  }
  std::vector<index_t> lanes(operands.size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    const special kind = kind_of(values[n], element);
    note made = 0;
    bool has_cause = false;
    for (std::size_t o = 0; o < operands.size(); ++o) {
      lanes[o] = lanes_of[o][n];
      if (i.op == op::select && o > 0 && (o == 1) != (operands[0][at(lanes_of[0][n])] != 0)) continue;
      const note from = notes(i.operands[o])[at(lanes[o])];
      made |= from & outside;
      const bool is_alike = kind_of(operands[o][at(lanes[o])], block.value(i.operands[o]).type.element) == kind;
      const bool passes_on = is_floating(element) ? kind != special::none && is_alike : !is_comparison;
      has_cause = has_cause || passes_on;
      if (passes_on && (made & number) == 0) made |= from & number;
    }
    if (kind != special::none && !has_cause) {
      made |= begin_at(i, kind, operands_text(i, block, lanes) + " = " + number_text(values[n], element));
    }
    notes(i.results[0])[n] = made;
  }
}

void value_origins::along_axis(const instruction& i, const block_run& block) {
  for (const value_id result : i.results) along_axis(i, block, result);
}

// Lanes past the edge hold what changes no result where they meet others; so a result is past it with all of them.
// What a combiner of the author's makes of NaN and infinities is its own affair: any of them is a cause.
void value_origins::along_axis(const instruction& i, const block_run& block, value_id made_value) {
  const tile result = block.value(made_value), operand = block.value(i.operands[0]);
  const std::vector<double> values = numbers_of(result);
  std::vector<std::vector<special>> from;
  for (const value_id each : i.operands) from.push_back(kinds_of(block.value(each)));
  const auto axis = static_cast<int>(i.attributes[0]);
  const bool is_scan = ast::info(i.op).category == op_category::scan || i.op == op::scan_begin;
  const index_t extent = operand.extent(axis), kept = is_scan ? extent : 1;
  index_t inner = 1;
  for (int next = axis + 1; next < operand.type.rank; ++next) inner *= operand.extent(next);
  for (index_t n = 0; n < result.size(); ++n) {
    const index_t base = n / (kept * inner) * extent * inner + n % inner, own = n / inner % kept;
    const index_t first = is_scan && i.attributes[1] != 0 ? own : 0;
    const index_t last = is_scan && i.attributes[1] == 0 ? own : extent - 1;
    const special kind = i.op == op::argmax ? special::nan : kind_of(values[at(n)], result.type.element);
    note made = outside;
    bool has_cause = kind == special::none || i.op == op::argmax;
    for (index_t k = first; k <= last; ++k) {
      const auto lane = at(base + k * inner);
      for (std::size_t o = 0; o < from.size(); ++o) {
        const note each = notes(i.operands[o])[lane];
        if ((each & outside) == 0) made &= number;
        const bool is_alike = from[o][lane] == kind || (ast::has_combiner(i.op) && from[o][lane] != special::none);
        if (kind == special::none || !is_alike) continue;
        has_cause = true;
        if ((made & number) == 0) made |= each & number;
      }
    }
    if (is_scan) made = (made & number) | (notes(i.operands[0])[at(n)] & outside);
    if (!has_cause) {
      made |= begin_at(i, kind,
                       fmt::format("{} of {} elements = {}", ast::info(i.op).name, last - first + 1,
                                   number_text(values[at(n)], result.type.element)));
    }
    notes(made_value)[at(n)] = made;
  }
}

void value_origins::mma(const instruction& i, const block_run& block) {
  const tile result = block.value(i.results[0]), a = block.value(i.operands[0]), b = block.value(i.operands[1]);
  const std::vector<double> values = numbers_of(result);
  const int column_axis = result.type.rank - 1;
  const index_t depth = a.extent(column_axis), columns = b.extent(column_axis);
  const index_t rows = a.size() / depth, rows_of_one = a.extent(column_axis - 1);  // of the whole batch, of a product
  const auto is_past = [&](value_id operand, index_t first, index_t step) {
    for (index_t k = 0; k < depth; ++k) {
      if (!is_outside(operand, first + k * step)) return false;
    }
    return true;
  };
  std::vector<bool> past_rows, past_columns;  // each of all products of the batch
  for (index_t m = 0; m < rows; ++m) past_rows.push_back(is_past(i.operands[0], m * depth, 1));
  for (index_t n = 0; n < b.size() / depth; ++n) {
    past_columns.push_back(is_past(i.operands[1], n / columns * depth * columns + n % columns, columns));
  }
  std::vector<double> numbers[3];  // of the operands, if somebody asks
  for (index_t n = 0; n < result.size(); ++n) {
    const index_t row = n / columns, column = n % columns, product = row / rows_of_one;
    const note before = notes(i.operands[2])[at(n)];
    note made = past_rows[at(row)] || past_columns[at(product * columns + column)] ? outside : before & outside;
    const special kind = kind_of(values[at(n)], result.type.element);
    if (kind != special::none) {
      for (std::size_t o = 0; o < 3 && numbers[o].empty(); ++o) numbers[o] = numbers_of(block.value(i.operands[o]));
      bool has_cause = false;
      const auto ask = [&](std::size_t o, index_t lane) {
        if (kind_of(numbers[o][at(lane)], block.value(i.operands[o]).type.element) != kind) return;
        has_cause = true;
        if ((made & number) == 0) made |= notes(i.operands[o])[at(lane)] & number;
      };
      ask(2, n);
      for (index_t k = 0; k < depth; ++k) {
        ask(0, row * depth + k);
        ask(1, (product * depth + k) * columns + column);
      }
      if (!has_cause) {
        made |= begin_at(i, kind,
                         fmt::format("row {} times column {} = {}", row % rows_of_one, column,
                                     number_text(values[at(n)], result.type.element)));
      }
    }
    notes(i.results[0])[at(n)] = made;
  }
}

}  // namespace tilewright::compiler::debug
