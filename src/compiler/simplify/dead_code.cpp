// SPDX-License-Identifier: Apache-2.0
#include "compiler/simplify/dead_code.hpp"

#include <algorithm>

#include "compiler/loops.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

bool does_anything(const block& code) {
  return std::any_of(code.body.begin(), code.body.end(), [](const instruction& next) {
    return ast::has_effect(next.op) || std::any_of(next.blocks.begin(), next.blocks.end(), does_anything);
  });
}

class dead_code_removal {
 public:
  explicit dead_code_removal(const program& source) : live_(source.values.size(), false) { mark(source.entry); }

  void run(program& source) { sweep(source.entry); }
  const std::vector<bool>& live() const { return live_; }

 private:
  // ---- Marking, from the last instruction to the first. Returns whether the code has effects.
  bool mark(const block& code) {
    bool acts = false;
    for (std::size_t i = code.body.size(); i-- > 0;) acts = mark(code.body[i]) || acts;
    return acts;
  }

  bool mark(const instruction& next) {
    switch (next.op) {
      case op::store:
      case op::combine:
      case op::assertion:
      case op::print:
      case op::store_tile:
      case op::store_rows:
      case op::combine_at:
        for (const value_id operand : next.operands) keep(operand);
        return true;
      case op::for_begin:
      case op::while_begin:
        return mark_loop(next);
      case op::while_condition:
        return false;  // its loop keeps it
      case op::if_begin:
        return mark_branch(next);
      case op::reduce_begin:
      case op::scan_begin:
        mark_combined(next);
        return false;
      default:
        break;
    }
    if (is_live(next.results[0])) {
      for (const value_id operand : next.operands) keep(operand);
    }
    return false;
  }

  bool mark_branch(const instruction& branch) {
    bool is_needed = false;
    for (std::size_t i = 0; i < branch.results.size(); ++i) {
      if (!is_live(branch.results[i])) continue;
      is_needed = true;
      for (const block& side : branch.blocks) keep(side.yields[i]);
    }
    bool acts = false;
    for (const block& side : branch.blocks) acts = mark(side) || acts;
    if (acts || is_needed) keep(branch.operands[0]);
    return acts;
  }

  // Every result may depend on every tile.
  void mark_combined(const instruction& next) {
    if (std::none_of(next.results.begin(), next.results.end(), [&](value_id id) { return is_live(id); })) return;
    for (const value_id tile : next.operands) keep(tile);
    for (const value_id given : next.blocks[0].yields) keep(given);
    mark(next.blocks[0]);
    for (const value_id result : next.results) keep(result);
  }

  // A carried value lives when its result or the value itself does; that may make others live in turn.
  // A while_ whose results nobody reads, and that has no effect, goes as any loop does: then nobody waits for its end.
  bool mark_loop(const instruction& loop) {
    const block& body = loop.blocks[0];
    const std::size_t initial = first_initial(loop), carried = first_carried(loop);
    bool acts = false, has_grown = true, is_needed = false;
    std::vector<bool> is_kept(loop.results.size(), false);
    while (has_grown) {
      has_grown = false;
      for (std::size_t i = 0; i < loop.results.size(); ++i) {
        if (is_kept[i] || !(is_live(loop.results[i]) || is_live(body.arguments[carried + i]))) continue;
        is_kept[i] = has_grown = is_needed = true;
        keep(loop.results[i]);
        keep(body.arguments[carried + i]);
        keep(body.yields[i]);
        keep(loop.operands[initial + i]);
      }
      if (acts || is_needed) has_grown = keep_condition(loop) || has_grown;
      const bool acted_before = acts;
      if (has_grown || !acts) acts = mark(body) || acts;
      has_grown = has_grown || acts != acted_before;  // then the condition is kept, too
      for (std::size_t i = 0; i < loop.results.size(); ++i) {
        has_grown = has_grown || (!is_kept[i] && is_live(body.arguments[carried + i]));
      }
    }
    if (acts || is_needed) {
      for (std::size_t i = 0; i < initial; ++i) keep(loop.operands[i]);
    }
    return acts;
  }

  // Whether it was not kept already.
  bool keep_condition(const instruction& loop) {
    if (loop.op != op::while_begin) return false;
    const value_id asked = loop.blocks[0].body[condition_of(loop)].operands[0];
    const bool is_new = !is_live(asked);
    keep(asked);
    return is_new;
  }

  // ---- Sweeping
  void sweep(block& code) {
    code.body.erase(std::remove_if(code.body.begin(), code.body.end(), [&](instruction& next) { return !keeps(next); }),
                    code.body.end());
  }

  // Trims loops and branches on the way.
  bool keeps(instruction& next) {
    if (ast::has_effect(next.op) || next.op == op::while_condition) return true;
    if (next.blocks.empty()) return is_live(next.results[0]);
    if (ast::has_combiner(next.op)) {
      sweep(next.blocks[0]);
      return is_live(next.results[0]);
    }
    bool has_body = false;
    for (block& inner : next.blocks) sweep(inner);
    for (const block& inner : next.blocks) has_body = has_body || does_anything(inner);
    trim(next);
    return has_body || !next.results.empty();
  }

  void trim(instruction& owner) {
    const bool carries = is_loop(owner);
    const std::size_t initial = first_initial(owner), carried = first_carried(owner);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < owner.results.size(); ++i) {
      if (!is_live(owner.results[i])) continue;
      owner.results[kept] = owner.results[i];
      for (block& inner : owner.blocks) inner.yields[kept] = inner.yields[i];
      if (carries) {
        owner.operands[initial + kept] = owner.operands[initial + i];
        owner.blocks[0].arguments[carried + kept] = owner.blocks[0].arguments[carried + i];
      }
      ++kept;
    }
    owner.results.resize(kept);
    for (block& inner : owner.blocks) inner.yields.resize(kept);
    if (!carries) return;
    owner.operands.resize(initial + kept);
    owner.blocks[0].arguments.resize(carried + kept);
  }

  bool is_live(value_id value) const { return live_[static_cast<std::size_t>(value)]; }
  void keep(value_id value) { live_[static_cast<std::size_t>(value)] = true; }

  std::vector<bool> live_;
};

class renumbering {
 public:
  explicit renumbering(program& source) : source_(source), number_(source.values.size(), no_value) {}

  void run() {
    visit(source_.entry);
    source_.values = std::move(values_);
    source_.narrow.assign(source_.values.size(), false);
    source_.residual_checks = std::move(checks_);
  }

 private:
  void visit(block& code) {
    for (value_id& argument : code.arguments) define(argument);
    for (instruction& next : code.body) {
      for (value_id& operand : next.operands) operand = number(operand);
      for (block& inner : next.blocks) visit(inner);
      for (value_id& result : next.results) define(result);
      for (std::int32_t& check : next.residual_checks) keep_check(check);
    }
    for (value_id& yielded : code.yields) yielded = number(yielded);
  }

  void define(value_id& value) {
    const value_id old = value;
    value = number(old) = static_cast<value_id>(values_.size());
    values_.push_back(source_.values[static_cast<std::size_t>(old)]);
  }
  void keep_check(std::int32_t& check) {
    checks_.push_back(std::move(source_.residual_checks[static_cast<std::size_t>(check)]));
    check = static_cast<std::int32_t>(checks_.size()) - 1;
  }
  value_id& number(value_id value) { return number_[static_cast<std::size_t>(value)]; }

  program& source_;
  std::vector<value_id> number_;  // new by old
  std::vector<value_type> values_;
  std::vector<residual_check> checks_;
};

}  // namespace

void remove_dead_code(program& source) { dead_code_removal(source).run(source); }
std::vector<bool> live_values(const program& source) { return dead_code_removal(source).live(); }
bool is_used_in(const instruction& next, const std::vector<bool>& live) {
  const auto is_live = [&](value_id result) { return live[static_cast<std::size_t>(result)]; };
  return ast::has_effect(next.op) || std::any_of(next.results.begin(), next.results.end(), is_live) ||
         std::any_of(next.blocks.begin(), next.blocks.end(), does_anything);
}
void renumber_values(program& source) { renumbering(source).run(); }

}  // namespace tilewright::compiler
