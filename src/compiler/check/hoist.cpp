// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/hoist.hpp"

#include <iterator>

#include "compiler/check/before_loop.hpp"
#include "compiler/element_access.hpp"
#include "compiler/simplify/dead_code.hpp"
#include "compiler/tile_access.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

// Of what a range adds to an index in a round: with an extent, at most 2^48, no arithmetic here can overflow.
constexpr std::int64_t greatest_stride = 1 << 14;

// The checks that one range takes out of itself and of the ranges in it.
class range_checks {
 public:
  range_checks(program& source, instruction& range, const before_loop::constants& known, const std::vector<bool>& live)
      : source_(source), range_(range), live_(live), code_(source, range, known) {}

  // What is to stand before the range.
  std::vector<instruction> run() {
    visit(range_);
    if (!holds_.empty()) close();
    return code_.take();
  }

 private:
  void visit(instruction& range) {
    ranges_.push_back(&range);
    for (instruction& next : range.blocks[0].body) {
      if (next.op == op::for_begin) visit(next);
      if (is_checked(next))
        std::erase_if(next.residual_checks, [&](std::int32_t check) { return leaves(next, check); });
    }
    ranges_.pop_back();
  }

  // What nobody uses is not checked.
  bool is_checked(const instruction& next) const {
    return !next.residual_checks.empty() && next.op != op::assertion && is_used_in(next, live_);
  }

  // Where a check fails the range has no round.
  void close() {
    value_id all = holds_[0];
    for (std::size_t i = 1; i < holds_.size(); ++i) all = code_.logical(op::bit_and, {all, holds_[i]});
    range_.operands[1] = code_.index(op::select, {all, range_.operands[1], range_.operands[0]});
  }

  // A range stays marked by the check of its step, as that has to be bounded where it stands.
  bool leaves(const instruction& at, std::int32_t check) {
    const residual_check& rule = source_.residual_checks[static_cast<std::size_t>(check)];
    return !rule.is_hoisted && take(at, check) && rule.what != residual_check::kind::step;
  }

  bool take(const instruction& at, std::int32_t check) {
    const before_loop::mark start = code_.here();
    code_.set_location(at.location);
    if (decide(at, check)) {
      source_.residual_checks[static_cast<std::size_t>(check)].is_hoisted = true;
      return true;
    }
    code_.drop_since(start);
    return false;
  }

  bool decide(const instruction& at, std::int32_t check) {
    const residual_check& rule = source_.residual_checks[static_cast<std::size_t>(check)];
    const value_id checked = at.operands[static_cast<std::size_t>(rule.operand)];
    const value_id idle = has_no_round();
    if (idle == no_value) return false;
    if (code_.type(checked).rank == 0) {
      const auto moves = code_.slope_of(checked);
      if (!moves) return false;
      if (moves->factor != 0) return !is_masked(at, rule) && decide_counted(at, check, *moves, checked, idle);
    }
    const value_id given = code_.outside(checked);
    if (given == no_value) return false;
    const value_id got = code_.as_index(given);
    if (rule.what == residual_check::kind::step) {
      return settle(check, idle, code_.logical(op::greater_equal, {got, code_.number(1)}), got, {});
    }
    if (rule.what == residual_check::kind::divisor) {
      return settle(check, idle, code_.logical(op::not_equal, {got, code_.number(0)}), got, {});
    }
    value_id inside = code_.is_within(got, count_of(at, rule));
    if (is_masked(at, rule)) {
      const value_id mask = code_.outside(mask_of(at));
      if (mask == no_value) return false;
      inside = code_.logical(op::bit_or, {code_.logical(op::bit_not, {mask}), inside});
      const value_type &each = code_.type(inside), &told = code_.type(got);
      if (each.rank != told.rank || each.extents != told.extents) return false;  // an element for each lane is told
    }
    return settle(check, idle, inside, got, limit_of(at, rule));
  }

  static bool is_masked(const instruction& at, const residual_check& rule) {
    return rule.what == residual_check::kind::element_index && mask_of(at) != no_value;
  }

  // The index goes by even steps: from the first one, so many rounds stay inside.
  bool decide_counted(const instruction& at, std::int32_t check, const before_loop::slope& moves, value_id checked,
                      value_id idle) {
    const residual_check& rule = source_.residual_checks[static_cast<std::size_t>(check)];
    if (rule.what == residual_check::kind::divisor || rule.what == residual_check::kind::step) return false;
    const instruction* range = range_of(moves.counted_by);
    const auto step = range != nullptr ? code_.number_of(range->operands[2]) : std::nullopt;
    std::int64_t stride = 0;
    if (!step || *step > greatest_stride || __builtin_mul_overflow(*step, moves.factor, &stride)) return false;
    if (stride == 0 || stride > greatest_stride || stride < -greatest_stride) return false;
    const value_id from = code_.outside(range->operands[0]), to = code_.outside(range->operands[1]);
    const value_id first = code_.outside(checked, moves.counted_by, from);
    if (first == no_value) return false;
    const value_id got = code_.as_index(first), count = count_of(at, rule);
    const value_id starts_inside = code_.is_within(got, count);
    const value_id rounds = rounds_inside(got, count, stride);
    const value_id length = code_.index(op::subtract, {to, from});
    const value_id reach = code_.index(op::multiply, {rounds, code_.number(*step)});
    const value_id no_overflow = code_.logical(op::greater_equal, {length, code_.number(0)});
    const value_id is_short = code_.logical(op::less_equal, {length, reach});
    const value_id stays = code_.logical(op::bit_and, {no_overflow, is_short});
    const value_id beyond = code_.index(op::add, {got, code_.index(op::multiply, {rounds, code_.number(stride)})});
    return settle(check, idle, code_.logical(op::bit_and, {starts_inside, stays}),
                  code_.index(op::select, {starts_inside, beyond, got}), limit_of(at, rule));
  }

  value_id rounds_inside(value_id first, value_id count, std::int64_t stride) {
    if (stride < 0) {
      const value_id whole = code_.index(op::floor_div, {first, code_.number(-stride)});
      return code_.index(op::add, {whole, code_.number(1)});
    }
    const value_id room = code_.index(op::subtract, {count, first});
    return code_.index(op::floor_div, {code_.index(op::add, {room, code_.number(stride - 1)}), code_.number(stride)});
  }

  const instruction* range_of(value_id variable) const {
    for (const instruction* each : ranges_) {
      if (each->blocks[0].arguments[0] == variable) return each;
    }
    return nullptr;
  }

  // No value where a range's bounds come from inside.
  value_id has_no_round() {
    value_id idle = no_value;
    for (const instruction* each : ranges_) {
      const value_id from = code_.outside(each->operands[0]), to = code_.outside(each->operands[1]);
      if (from == no_value || to == no_value) return no_value;
      const value_id empty = code_.logical(op::greater_equal, {from, to});
      idle = idle == no_value ? empty : code_.logical(op::bit_or, {idle, empty});
    }
    return idle;
  }

  bool settle(std::int32_t check, value_id idle, value_id inside, value_id got, std::vector<std::int64_t> limit) {
    const value_id holds = code_.logical(op::bit_or, {idle, inside});
    code_.assert_that(holds, got, std::move(limit), check);
    holds_.push_back(code_.all_of(holds));
    return true;
  }

  // Of the parameter, and of the step of its tiles on the axis; 1 where elements are counted.
  std::vector<std::int64_t> limit_of(const instruction& at, const residual_check& rule) const {
    const bool is_tile = rule.what == residual_check::kind::tile_index;
    return {at.attributes[0], is_tile ? tile_step(source_, at, static_cast<std::size_t>(rule.axis)) : 1};
  }

  value_id count_of(const instruction& at, const residual_check& rule) {
    const std::vector<std::int64_t> limit = limit_of(at, rule);
    if (rule.what != residual_check::kind::tile_index) return code_.index(op::extent, {}, {limit[0], rule.axis});
    return code_.index(op::tiles, {}, {limit[0], rule.axis, limit[1]});
  }

  program& source_;
  instruction& range_;
  const std::vector<bool>& live_;
  before_loop code_;
  std::vector<instruction*> ranges_;  // from range_ to where the walk is
  std::vector<value_id> holds_;       // of what was taken, of rank 0
};

// What the kernel's author asserts is to fail where it stands, before a check that a later round would fail.
bool asserts(const block& code) {
  return std::any_of(code.body.begin(), code.body.end(), [](const instruction& next) {
    return next.op == op::assertion || std::any_of(next.blocks.begin(), next.blocks.end(), asserts);
  });
}

class check_hoister {
 public:
  explicit check_hoister(program& source)
      : source_(source), constants_(before_loop::constants_of(source)), live_(live_values(source)) {}

  // The outermost range first.
  void visit(block& code) {
    std::vector<instruction> body;
    body.reserve(code.body.size());
    for (instruction& next : code.body) {
      if (next.op == op::for_begin && !asserts(next.blocks[0])) {
        std::vector<instruction> before = range_checks(source_, next, constants_, live_).run();
        std::move(before.begin(), before.end(), std::back_inserter(body));
      }
      for (block& inner : next.blocks) visit(inner);
      body.push_back(std::move(next));
    }
    code.body = std::move(body);
  }

 private:
  program& source_;
  const before_loop::constants constants_;
  const std::vector<bool> live_;  // by value
};

}  // namespace

void hoist_checks(program& source) {
  if (!source.residual_checks.empty()) check_hoister(source).visit(source.entry);
}

}  // namespace tilewright::compiler
