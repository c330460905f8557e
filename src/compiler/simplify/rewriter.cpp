// SPDX-License-Identifier: Apache-2.0
#include "compiler/simplify/rewriter.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/loops.hpp"
#include "compiler/simplify/fold.hpp"
#include "compiler/tile_access.hpp"

namespace tilewright::compiler {

using ast::op;

rewriter::rewriter(program& source, std::vector<std::optional<std::int64_t>> known)
    : source_(source),
      known_(std::move(known)),
      constants_(source.values.size()),
      replacement_(source.values.size()),
      stores_(source.parameters.size(), 0),
      extents_(source.values.size()),
      equals_(source.values) {
  std::iota(replacement_.begin(), replacement_.end(), 0);
  note_tiles(source_.entry);
}

bool rewriter::run() {
  rewrite(source_.entry);
  return may_find_more_;
}

void rewriter::rewrite(block& code) {
  std::vector<instruction> kept;
  kept.reserve(code.body.size());
  for (instruction& next : code.body) rewrite(std::move(next), kept);
  code.body = std::move(kept);
  resolve_all(code.yields);
}

void rewriter::rewrite(instruction next, std::vector<instruction>& kept) {
  resolve_all(next.operands);
  switch (next.op) {
    case op::for_begin:
      return rewrite_loop(std::move(next), kept);
    case op::while_begin:
      return rewrite_carrying(std::move(next), kept);
    case op::if_begin:
      return rewrite_branch(std::move(next), kept);
    case op::reduce_begin:
    case op::scan_begin:
      return rewrite_combined(std::move(next), kept);
    case op::assertion:
      if (constant(next.operands[0]) == 1) return;
      [[fallthrough]];
    case op::while_condition:
    case op::print:
    case op::combine:
    case op::combine_at:
    case op::store_rows:
      kept.push_back(std::move(next));
      return;
    case op::store:
    case op::store_tile:
      ++stores_[static_cast<std::size_t>(next.attributes[0])];
      kept.push_back(std::move(next));
      return;
    default:
      return rewrite_plain(std::move(next), kept);
  }
}

void rewriter::rewrite_plain(instruction next, std::vector<instruction>& kept) {
  const value_id result = next.results[0];
  const bool is_checked = !next.residual_checks.empty();  // stays, with its checks: folded, it could not fail
  std::optional<std::int64_t> word = is_checked ? std::nullopt : known(result);
  if (!word && !is_checked) {
    const auto found = fold_instruction(next, source_.values, constants_);
    if (found && found->value != no_value) return replace(result, found->value);
    if (found) word = found->word;
  }
  if (word) {
    next.op = op::constant;
    next.operands.clear();
    next.attributes = {*word};
  }
  count_tiles(next);
  const bool reads_output = next.op == op::load_piece;
  const std::int64_t state = reads_output ? stores_[static_cast<std::size_t>(next.attributes[0])] : 0;
  const value_id equal = equals_.find_or_add(next, state);
  if (equal != result) return replace(result, equal);
  if (next.op == op::constant) constant(result) = next.attributes[0];
  if (next.op == op::extent) extents_[static_cast<std::size_t>(result)] = {next.attributes[0], next.attributes[1]};
  kept.push_back(std::move(next));
}

// ---- Tile counts ---------------------------------------------------------------------------------------------------
void rewriter::note_tiles(const block& code) {
  const auto note = [&](std::int64_t parameter, std::size_t axis, std::int64_t tile) {
    const tensor_facts& facts = source_.parameters[static_cast<std::size_t>(parameter)].facts;
    if (facts.divides[axis]) whole_tiles_.push_back({parameter, static_cast<std::int64_t>(axis), tile});
  };
  for (const instruction& next : code.body) {
    if (next.op == op::tiles)
      note(next.attributes[0], static_cast<std::size_t>(next.attributes[1]), next.attributes[2]);
    if (ast::loads_tile(next.op)) {
      const value_type& type = source_.values[static_cast<std::size_t>(next.results[0])];
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis) {
        note(next.attributes[0], axis, tile_step(source_, next, axis));
      }
    }
    for (const block& inner : next.blocks) note_tiles(inner);
  }
}

// An extent over a tile's that divides it becomes the number of tiles, so that both are known to be equal.
void rewriter::count_tiles(instruction& next) const {
  if (next.op != op::divide && next.op != op::floor_div) return;
  const std::optional<tensor_axis>& of = extents_[static_cast<std::size_t>(next.operands[0])];
  const std::optional<std::int64_t>& tile = constants_[static_cast<std::size_t>(next.operands[1])];
  if (!of || !tile) return;
  const tile_axis asked{of->parameter, of->axis, *tile};
  if (std::find(whole_tiles_.begin(), whole_tiles_.end(), asked) == whole_tiles_.end()) return;
  next.op = op::tiles;
  next.operands.clear();
  next.attributes = {asked.parameter, asked.axis, asked.tile};
}

// ---- Control flow --------------------------------------------------------------------------------------------------
void rewriter::inline_block(block& body, const std::vector<value_id>& results, std::vector<instruction>& kept) {
  for (instruction& next : body.body) rewrite(std::move(next), kept);
  for (std::size_t i = 0; i < results.size(); ++i) replace(results[i], resolve(body.yields[i]));
}

void rewriter::rewrite_inner(block& body) {
  const std::size_t scope = equals_.open_scope();
  rewrite(body);
  equals_.close_scope(scope);
}

void rewriter::rewrite_branch(instruction branch, std::vector<instruction>& kept) {
  if (const auto condition = constant(branch.operands[0])) {
    return inline_block(branch.blocks[*condition != 0 ? 0 : 1], branch.results, kept);
  }
  for (block& side : branch.blocks) {
    rewrite_inner(side);
    note_stores(side);  // the other side, too, must not take a load of this one for its own
  }
  for (std::size_t i = 0; i < branch.results.size(); ++i) {
    const value_id then = branch.blocks[0].yields[i];
    if (then == branch.blocks[1].yields[i]) replace(branch.results[i], then);
  }
  kept.push_back(std::move(branch));
}

// On an axis of one element nothing is combined.
void rewriter::rewrite_combined(instruction next, std::vector<instruction>& kept) {
  const value_type& tile = source_.values[static_cast<std::size_t>(next.operands[0])];
  if (tile.extents[static_cast<std::size_t>(next.attributes[0])] == 1) {
    for (std::size_t i = 0; i < next.results.size(); ++i) replace(next.results[i], next.operands[i]);
    return;
  }
  rewrite_inner(next.blocks[0]);
  kept.push_back(std::move(next));
}

void rewriter::rewrite_loop(instruction loop, std::vector<instruction>& kept) {
  block& body = loop.blocks[0];
  const auto from = constant(loop.operands[0]), to = constant(loop.operands[1]), step = constant(loop.operands[2]);
  if (loop.operands[0] == loop.operands[1] || (from && to && *from >= *to)) {  // never
    for (std::size_t i = 0; i < loop.results.size(); ++i) replace(loop.results[i], loop.operands[i + 3]);
    return;
  }
  if (from && to && step && static_cast<__int128>(*to) - *from <= *step) {  // once
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      replace(body.arguments[i], loop.operands[i == 0 ? 0 : i + 2]);
    }
    return inline_block(body, loop.results, kept);
  }
  rewrite_carrying(std::move(loop), kept);
}

void rewriter::rewrite_carrying(instruction loop, std::vector<instruction>& kept) {
  block& body = loop.blocks[0];
  carry_unchanged_values(loop);
  note_stores(body);  // a load at the start of the body also sees what its end stored
  rewrite_inner(body);
  note_stores(body);
  for (std::size_t i = 0; i < loop.results.size(); ++i) {
    may_find_more_ = may_find_more_ || body.yields[i] == body.arguments[first_carried(loop) + i];
  }
  kept.push_back(std::move(loop));
}

// A carried value that its loop gives back as it came is the initial one, inside and after.
void rewriter::carry_unchanged_values(instruction& loop) {
  block& body = loop.blocks[0];
  const std::size_t initial = first_initial(loop), carried = first_carried(loop);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < loop.results.size(); ++i) {
    if (body.yields[i] == body.arguments[carried + i]) {
      replace(body.arguments[carried + i], loop.operands[initial + i]);
      replace(loop.results[i], loop.operands[initial + i]);
      continue;
    }
    loop.results[kept] = loop.results[i];
    loop.operands[initial + kept] = loop.operands[initial + i];
    body.arguments[carried + kept] = body.arguments[carried + i];
    body.yields[kept] = body.yields[i];
    ++kept;
  }
  loop.results.resize(kept);
  loop.operands.resize(initial + kept);
  body.arguments.resize(carried + kept);
  body.yields.resize(kept);
}

void rewriter::note_stores(const block& code) {
  for (const instruction& next : code.body) {
    if (next.op == op::store || next.op == op::store_tile) ++stores_[static_cast<std::size_t>(next.attributes[0])];
    for (const block& inner : next.blocks) note_stores(inner);
  }
}

}  // namespace tilewright::compiler
