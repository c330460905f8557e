// SPDX-License-Identifier: Apache-2.0
// The bounds ladder: each tile index, row index, element index, divisor, step of a range and requirement is proved by
// the program alone, or by one comparison per launch, or left to the kernel as a residual check. What never holds is
// refused, and so is what no kernel can check.
#include <algorithm>
#include <span>
#include <utility>

#include "compiler/bind/dim_values.hpp"
#include "compiler/check/hoist.hpp"
#include "compiler/check/index_forms.hpp"
#include "compiler/check/range_steps.hpp"
#include "compiler/check/real_lanes.hpp"
#include "compiler/check/reasons.hpp"
#include "compiler/diagnostics.hpp"
#include "compiler/element_access.hpp"
#include "compiler/location.hpp"
#include "compiler/tile_access.hpp"
#include "compiler/type_text.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

// What must hold at an instruction, and how to say so.
struct obligation {
  const instruction& at;
  const char* subject;  // "a tile index"
  std::int64_t parameter = -1, axis = 0;
  const char* limit;  // "stays under the number of tiles"
  const char* fix;
};

// 0 <= index < count: of either side, and of both where one check sees to them.
struct index_rule {
  obligation low, high, both;
};
struct index_words {
  const char *subject, *below, *within, *low_fix, *high_fix;
};
constexpr index_words tile_words = {"a tile index", "stays under the number of tiles", "stays within the tiles",
                                    "clamp the index: max(i, 0)",
                                    "clamp the index: min(i, x.tiles(axis) - 1), or loop up to x.tiles(axis)"};
constexpr index_words window_words = {
    "a window index", "stays under the number of windows", "stays within the windows",
    "a window begins inside its tensor: give the tensor a margin in front, or gather under a mask, where(i >= 0)",
    "clamp the index: min(max(i, 0), w.tiles(axis) - 1), or give the tensor a margin"};
constexpr const char* clamped_rows = "clamp the index tile: min(max(rows, 0), x.extent(0) - 1)";
constexpr index_words row_words = {"a row index", "stays under the number of rows", "stays within the rows",
                                   clamped_rows, clamped_rows};
constexpr const char* chosen_elements =
    "clamp the index tile, min(max(i, 0), x.extent(axis) - 1), or compare it in a mask, "
    "where((i >= 0) & (i < x.extent(axis)))";
constexpr index_words element_words = {"an element index", "stays under the extent", "stays within the extent",
                                       chosen_elements, chosen_elements};

index_rule rule_of_index(const instruction& at, std::int64_t axis, const index_words& words) {
  const auto side = [&](const char* limit, const char* fix) {
    return obligation{
        .at = at, .subject = words.subject, .parameter = at.attributes[0], .axis = axis, .limit = limit, .fix = fix};
  };
  return {side("is not negative", words.low_fix), side(words.below, words.high_fix),
          side(words.within, words.high_fix)};
}

// Where on the ladder a condition `lesser <= greater` found its place.
struct settled {
  rung where = rung::proved;
  bool is_refuted = false;           // then nothing else counts
  bool is_given = false;             // proved by what the kernel requires
  linear lesser = {}, greater = {};  // refuted: as asked; launch: what the launch compares
};

bool divides_integers(const instruction& next, const program& source) {
  return ast::divides(next.op) && is_integer(source.values[static_cast<std::size_t>(next.results[0])].element);
}

bool is_requirement(const instruction& next) { return next.op == op::require_equal || next.op == op::require; }

class bounds_checker {
 public:
  bounds_checker(program& source, bounds_report* report)
      : source_(source), report_(report), forms_(source, scalar_trust::checked), lanes_(source, forms_) {}

  void run() {
    visit(source_.entry);
    require_scalars();
    faults_.throw_if_any(*source_.module);
    lanes_.apply();
  }

  // The report of checks that a loop no longer makes.
  void tell_hoisted() {
    for (const auto& [check, entry] : told_) {
      const bool is_hoisted = source_.residual_checks[static_cast<std::size_t>(check)].is_hoisted;
      if (is_hoisted) report_->entries[entry].where = rung::hoisted;
    }
  }

 private:
  void visit(block& code) {
    for (instruction& next : code.body) visit(next);
  }

  void visit(instruction& next) {
    if (next.op == op::for_begin) return visit_loop(next);
    if (next.op == op::while_begin) return visit_while(next);
    if (next.op == op::while_condition) return forms_.conclude(next.operands[0], true, facts_);
    if (next.op == op::if_begin) return visit_branch(next);
    if (ast::loads_tile(next.op)) return visit_load(next);
    if (next.op == op::gather_rows) return visit_gather(next);
    if (ast::chooses_elements(next.op)) return visit_elements(next);
    if (next.op == op::store_tile) return visit_store(next);
    if (next.op == op::require_equal) return visit_extents(next);
    if (next.op == op::require) return visit_requirement(next);
    if (next.op == op::assertion) return visit_assertion(next);
    if (divides_integers(next, source_)) return visit_division(next);
    if (ast::has_combiner(next.op)) visit_combiner(next.blocks[0]);
  }

  void visit_extents(const instruction& requirement) {
    const obligation rule{.at = requirement,
                          .subject = "a pair of extents",
                          .limit = "is equal",
                          .fix = "give arguments whose extents fit together"};
    const linear a = forms_.exact_form_of(requirement.operands[0]), b = forms_.exact_form_of(requirement.operands[1]);
    if (!require(rule, {{a, b}, {b, a}})) refuse(rule, "a launch compares extents, nothing else");
  }

  // What no launch can judge the kernel asserts. Nothing relies on that: a block goes on where it fails.
  void visit_requirement(instruction& requirement) {
    const obligation rule{.at = requirement,
                          .subject = "a requirement",
                          .limit = "holds",
                          .fix = "compare extents, counts, integer parameters and numbers, joined by &"};
    const value_id left = require_outcome(rule, requirement.operands[0], true);
    if (left == no_value) return;
    add_residual(requirement, rule,
                 {.what = residual_check::kind::requirement, .reason = reason_of_condition(source_, forms_, left)});
    requirement.op = op::assertion;
    requirement.attributes = {ast::no_text};
  }

  // What is required whatever way the kernel goes holds from there on. Gives a part that no launch can judge.
  value_id require_outcome(const obligation& rule, value_id condition, bool outcome) {
    const instruction* made = forms_.maker(condition);
    if (made != nullptr && made->op == op::bit_not) return require_outcome(rule, made->operands[0], !outcome);
    if (made != nullptr && made->op == (outcome ? op::bit_and : op::bit_or)) {
      const value_id first = require_outcome(rule, made->operands[0], outcome);
      const value_id second = require_outcome(rule, made->operands[1], outcome);
      return first == no_value ? second : first;
    }
    const std::vector<comparison_sides> sides = forms_.sides_of(condition, outcome);
    if (sides.empty() || !require(rule, sides)) return condition;
    for (const comparison_sides& each : sides) {
      const auto fact = subtract(each.greater, each.lesser);
      if (fact && facts_.empty()) required_.push_back(*fact);
    }
    return no_value;
  }

  void visit_loop(instruction& loop) {
    const obligation step{.at = loop,
                          .subject = "the step of a range",
                          .limit = "is at least 1",
                          .fix = "give a positive step: max(step, 1)"};
    if (!require(step, {{number(1), forms_.exact_form_of(loop.operands[2])}})) {
      add_residual(loop, step, {.what = residual_check::kind::step, .operand = 2});
    }
    const std::size_t outer = facts_.size();
    const auto length = subtract(forms_.exact_form_of(loop.operands[1]), forms_.exact_form_of(loop.operands[0]));
    if (const auto fact = length ? add(*length, number(-1)) : std::nullopt) facts_.push_back(*fact);
    visit(loop.blocks[0]);
    facts_.resize(outer);
  }

  // The condition holds in the rest of its block. Of what the loop carries nothing else is known.
  void visit_while(instruction& loop) {
    const std::size_t outer = facts_.size();
    visit(loop.blocks[0]);
    facts_.resize(outer);
  }

  // It runs any number of times, for elements that are none: no check stands in it.
  void visit_combiner(block& combiner) {
    for (instruction& next : combiner.body) {
      if (!divides_integers(next, source_)) continue;
      visit_division(next);
      if (next.residual_checks.empty()) continue;
      obligation rule = division_rule(next);
      rule.fix = "divide by a number, or before or after what the combiner does";
      refuse(rule, "a combiner runs on elements of nobody's, any number of times, and is not checked");
    }
  }

  void visit_branch(instruction& branch) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t outer = facts_.size();
      forms_.conclude(branch.operands[0], side == 0, facts_);
      visit(branch.blocks[side]);
      facts_.resize(outer);
    }
  }

  void visit_load(instruction& load) {
    const value_type& tile = type(load.results[0]);
    for (int axis = 0; axis < tile.rank; ++axis) {
      require_tile_index(load, axis, axis, tile_step(source_, load, static_cast<std::size_t>(axis)));
    }
  }

  void visit_store(instruction& store) {
    const program_parameter& output = source_.parameters[static_cast<std::size_t>(store.attributes[0])];
    const value_type& tile = type(store.operands[0]);
    int operand = 1;
    for (int axis = 0; axis < tile.rank; ++axis) {
      if (!output.has_whole(static_cast<std::size_t>(axis))) continue;
      require_tile_index(store, operand++, axis, tile.extents[static_cast<std::size_t>(axis)]);
    }
  }

  void require_tile_index(instruction& at, int operand, int axis, std::int64_t step) {
    const index_rule rule = rule_of_index(at, axis, at.op == op::load_window ? window_words : tile_words);
    const value_id index = at.operands[static_cast<std::size_t>(operand)];
    const linear last = *add(forms_.tile_count(at.attributes[0], axis, step), number(-1));
    if (require_within(rule, forms_.form_of(index), last)) return;
    require_internal(at.op != op::store_tile, "the loop of a stored tile does not bound its index");
    add_residual(at, rule.both, {.what = residual_check::kind::tile_index, .operand = operand, .axis = axis});
  }

  void visit_gather(instruction& gather) {
    const index_rule rule = rule_of_index(gather, 0, row_words);
    const linear row = forms_.exact_form_of(gather.operands[0]);
    const linear last = *add(forms_.extent(gather.attributes[0], 0), number(-1));
    if (!require_within(rule, row, last) && can_check(rule.both, gather.operands[0])) {
      lanes_.excuse(gather, 0);
      add_residual(gather, rule.both, {.what = residual_check::kind::row_index});
    }
    require_tile_index(gather, 1, 1, type(gather.results[0]).extents[1]);
  }

  // What the mask says holds where an index counts.
  void visit_elements(instruction& access) {
    const int rank = source_.parameters[static_cast<std::size_t>(access.attributes[0])].rank;
    const value_id mask = mask_of(access);
    outside_mask_ = facts_.size();
    is_masked_ = mask != no_value;
    if (is_masked_) forms_.conclude(mask, true, facts_);
    is_one_comparison_ = is_masked_ && !forms_.sides_of(mask, true).empty();
    for (int axis = 0; axis < rank; ++axis) require_element_index(access, axis);
    is_masked_ = false;
    facts_.resize(outside_mask_);
  }

  void require_element_index(instruction& access, int axis) {
    const index_rule rule = rule_of_index(access, axis, element_words);
    const int operand = static_cast<int>(first_index(access)) + axis;
    const value_id index = access.operands[static_cast<std::size_t>(operand)];
    const linear last = *add(forms_.extent(access.attributes[0], axis), number(-1));
    if (require_within(rule, forms_.exact_form_of(index), last)) return;
    if (!can_check(rule.both, index) || (is_masked_ && !can_check(rule.both, mask_of(access)))) return;
    lanes_.mask(access);
    add_residual(access, rule.both, {.what = residual_check::kind::element_index, .operand = operand, .axis = axis});
  }

  static obligation division_rule(const instruction& division) {
    return {.at = division, .subject = "a divisor", .limit = "is not zero", .fix = "make it positive: max(d, 1)"};
  }

  void visit_division(instruction& division) {
    const obligation rule = division_rule(division);
    const linear divisor = forms_.exact_form_of(division.operands[1]);
    const auto opposite = scale(divisor, -1);
    const auto negative = opposite ? proved(number(1), *opposite) : std::nullopt;
    const settled found = negative ? *negative : settle(number(1), divisor, opposite);
    if (found.where != rung::in_place) {
      apply(rule, found);
      return note(rule, {&found, 1});
    }
    if (!can_check(rule, division.operands[1])) return;
    lanes_.excuse(division, 1);
    add_residual(division, rule, {.what = residual_check::kind::divisor, .operand = 1});
  }

  // A launch is not refused for it: what its author fears is data.
  void visit_assertion(instruction& assertion) {
    const std::vector<comparison_sides> sides = forms_.sides_of(assertion.operands[0], true);
    const bool is_proved = !sides.empty() && std::all_of(sides.begin(), sides.end(), [&](const comparison_sides& each) {
      return proved(each.lesser, each.greater).has_value();
    });
    const obligation rule{.at = assertion,
                          .subject = "an assertion",
                          .limit = "holds",
                          .fix = "ask of the launch what it can judge, by requires_: that costs the kernel nothing"};
    if (is_proved) return note(rule, {});
    if (!can_check(rule, assertion.operands[0])) return;
    lanes_.excuse(assertion, 0);
    add_residual(assertion, rule,
                 {.what = residual_check::kind::assertion,
                  .reason = "its author asks for it",
                  .shape = type(assertion.operands[0]),
                  .text = text_of(*source_.module, assertion.attributes[0])});
  }

  // 0 <= form <= last; false where the kernel has to see. One residual check covers both sides.
  bool require_within(const index_rule& rule, const linear& form, const linear& last) {
    const settled sides[] = {settle(number(0), form), settle(form, last)};
    const auto& [lower, upper] = sides;
    const bool is_refuted = lower.is_refuted || upper.is_refuted;
    if (!is_refuted && (lower.where == rung::in_place || upper.where == rung::in_place)) return false;
    if (lower.is_refuted || !is_refuted) apply(rule.low, lower);
    if (upper.is_refuted || !is_refuted) apply(rule.high, upper);
    note(rule.both, sides);
    return true;
  }

  // Whether the kernel can tell the lanes that the check is of; what it cannot is refused.
  bool can_check(const obligation& rule, value_id value) {
    if (lanes_.can_tell(value)) return true;
    faults_.add({rule.at.location, "not proved: " + rule_text(rule),
                 "a bound that follows from the launch alone, or lanes that the kernel can tell to be in their tensor",
                 "a tile that may reach past its tensor, behind a loop, branch, select, |, cat or gather",
                 "load it with a pad that passes, load(i, pad(0)), or check it before that"});
    return false;
  }

  // ---- The ladder
  std::optional<settled> proved(const linear& lesser, const linear& greater) {
    const auto slack = subtract(greater, lesser);
    if (!slack) return {};
    if (atoms().is_never_negative(*slack) || follows_from(facts_, *slack)) return settled{};
    if (follows_from(required_, *slack)) return settled{.is_given = true};
    return {};
  }

  bool follows_from(const std::vector<linear>& facts, const linear& slack) {
    return std::any_of(facts.begin(), facts.end(), [&](const linear& fact) {
      const auto rest = subtract(slack, fact);
      return rest && atoms().is_never_negative(*rest);
    });
  }

  // Whether the program and the launch settle all of it, be it that it never holds.
  bool require(const obligation& rule, const std::vector<comparison_sides>& all) {
    std::vector<settled> found;
    for (const comparison_sides& each : all) found.push_back(settle(each.lesser, each.greater));
    const auto is_left = [](const settled& side) { return !side.is_refuted && side.where == rung::in_place; };
    const bool is_refuted =
        std::any_of(found.begin(), found.end(), [](const settled& side) { return side.is_refuted; });
    if (!is_refuted && std::any_of(found.begin(), found.end(), is_left)) return false;
    for (const settled& side : found) {
      if (side.is_refuted || !is_refuted) apply(rule, side);
    }
    note(rule, found);
    return true;
  }

  // `lesser <= greater` always, or `lesser <= other` always, where there is another.
  settled settle(const linear& lesser, const linear& greater, const std::optional<linear>& other = {}) {
    if (const auto found = proved(lesser, greater)) return *found;
    const bool is_never = is_refuted(lesser, greater) && (!other || is_refuted(lesser, *other));
    if (is_never && !is_masked_ && is_certain()) return {.is_refuted = true, .lesser = lesser, .greater = greater};
    if (is_never && is_masked_) return {.where = rung::in_place};
    launch_bound left = upper_bound(lesser, facts_), right = lower_bound(greater, facts_);
    if (other) {
      const launch_bound second = lower_bound(*other, facts_);
      right = {atoms().maximum(right.form, second.form), right.is_weak || second.is_weak};
    }
    if (left.is_weak || right.is_weak || counts_masked_lanes(lesser, greater, left, right)) {
      return {.where = rung::in_place};
    }
    // A launch that always says no helps nobody, but where the place is not reached unless the launch is wrong.
    const bool is_hopeless = is_refuted(left.form, right.form);
    if (is_hopeless && !(is_never && is_guarded_by_launch())) return {.where = rung::in_place};
    return {.where = rung::launch, .lesser = left.form, .greater = right.form};
  }

  // A bound that owes nothing to the mask, or only a part of it, is one of lanes that are not read, too: no launch is
  // refused for these.
  bool counts_masked_lanes(const linear& lesser, const linear& greater, const launch_bound& left,
                           const launch_bound& right) {
    if (!is_masked_) return false;
    if (!is_one_comparison_) return true;
    const std::vector<linear> outside(facts_.begin(), facts_.begin() + static_cast<std::ptrdiff_t>(outside_mask_));
    return upper_bound(lesser, outside).form == left.form && lower_bound(greater, outside).form == right.form;
  }

  void apply(const obligation& rule, const settled& found) {
    if (found.is_refuted) refute(rule, found.lesser, found.greater);
    if (found.where == rung::launch) add_check(rule, found.lesser, found.greater);
  }

  bool is_refuted(const linear& lesser, const linear& greater) {
    const auto excess = subtract(lesser, greater);
    const auto violation = excess ? add(*excess, number(-1)) : std::nullopt;
    return violation && atoms().is_never_negative(*violation);
  }

  // Whether nothing but the launch decides if this place is reached.
  bool is_certain() {
    for (const linear& fact : facts_) {
      if (!atoms().is_never_negative(fact)) return false;
    }
    return true;
  }

  // Whether the launch alone decides if this place is reached.
  bool is_guarded_by_launch() {
    return std::all_of(facts_.begin(), facts_.end(), [&](const linear& fact) {
      return atoms().is_never_negative(fact) || atoms().highest(fact).form == fact;
    });
  }

  // The best bound that a launch can evaluate: each fact f >= 0 gives one more, since x <= x + f.
  launch_bound upper_bound(const linear& form, const std::vector<linear>& facts) {
    launch_bound best = atoms().highest(form);
    for (const linear& fact : facts) {
      const auto wider = shares_an_atom(form, fact) ? add(form, fact) : std::nullopt;
      if (wider) best = better(best, atoms().highest(*wider), true);
    }
    return best;
  }

  launch_bound lower_bound(const linear& form, const std::vector<linear>& facts) {
    launch_bound best = atoms().lowest(form);
    for (const linear& fact : facts) {
      const auto wider = shares_an_atom(form, fact) ? subtract(form, fact) : std::nullopt;
      if (wider) best = better(best, atoms().lowest(*wider), false);
    }
    return best;
  }

  launch_bound better(const launch_bound& a, const launch_bound& b, bool is_upper) {
    if (a.is_weak != b.is_weak) return a.is_weak ? b : a;
    return {is_upper ? atoms().minimum(a.form, b.form) : atoms().maximum(a.form, b.form), a.is_weak};
  }

  static bool shares_an_atom(const linear& a, const linear& b) {
    for (const linear_term& left : a) {
      for (const linear_term& right : b) {
        if (left.atom == right.atom) return true;
      }
    }
    return false;
  }

  // ---- Outcomes
  void add_check(const obligation& rule, const linear& lesser, const linear& greater) {
    launch_check made{.lesser = atoms().expression(lesser),
                      .greater = atoms().expression(greater),
                      .guards = {},
                      .rule = rule_text(rule),
                      .location = rule.at.location};
    for (const linear& fact : facts_) {
      const launch_bound possible = atoms().highest(fact);
      if (possible.is_weak || atoms().range(possible.form).low >= 0) continue;
      made.guards.push_back(atoms().expression(possible.form));
    }
    for (const launch_check& known : source_.checks) {
      if (same(known.lesser, made.lesser) && same(known.greater, made.greater) && known.rule == made.rule) {
        if (known.guards.empty()) return;
      }
    }
    source_.checks.push_back(std::move(made));
  }

  void add_residual(instruction& at, const obligation& rule, residual_check made) {
    made.rule = rule_text(rule);
    made.location = at.location;
    if (made.reason.empty()) {
      made.reason = reason_of(source_, forms_, at.operands[static_cast<std::size_t>(made.operand)]);
    }
    made.fix = rule.fix;
    at.residual_checks.push_back(static_cast<std::int32_t>(source_.residual_checks.size()));
    if (report_ != nullptr) {
      told_.emplace_back(at.residual_checks.back(), report_->entries.size());
      report_->entries.push_back({rung::in_place, made.rule, made.location, made.reason, made.fix});
    }
    source_.residual_checks.push_back(std::move(made));
  }

  // An obligation that the kernel does not have to see to; `all` are its sides.
  void note(const obligation& rule, std::span<const settled> all) {
    if (report_ == nullptr) return;
    bounds_entry made{.rule = rule_text(rule), .location = rule.at.location};
    for (const settled& side : all) {
      if (side.is_given && made.where == rung::proved) made.reason = "given what the kernel requires";
      if (side.where != rung::launch) continue;
      made.reason = made.where == rung::launch ? made.reason + "; " : "";
      made.reason += comparison_text(atoms().expression(side.lesser), atoms().expression(side.greater));
      if (!is_requirement(rule.at)) made.fix = rule.fix;  // it stands where its author wants it
      made.where = rung::launch;
    }
    report_->entries.push_back(std::move(made));
  }

  void refute(const obligation& rule, const linear& lesser, const linear& greater) {
    const bool is_lower = lesser.is_number();
    const linear& index = is_lower ? greater : lesser;
    const linear& limit = is_lower ? lesser : greater;
    faults_.add({rule.at.location, "broken: " + rule_text(rule),
                 limit.is_number() ? (is_lower ? "at least " : "at most ") + std::to_string(limit.constant)
                                   : std::string(rule.limit),
                 index.is_number() ? std::to_string(index.constant) : std::string("an index that never does"),
                 rule.fix});
  }

  void refuse(const obligation& rule, const char* why) {
    faults_.add({rule.at.location, "not proved: " + rule_text(rule),
                 std::string("a bound that follows from the launch alone: ") + why, "a value that depends on data",
                 rule.fix});
  }

  std::string rule_text(const obligation& rule) const {
    std::string text = rule.subject;
    if (rule.parameter >= 0) {
      const parameter_kind kind = source_.parameters[static_cast<std::size_t>(rule.parameter)].kind;
      text.append(" of parameter ").append(std::to_string(rule.parameter)).append(" (");
      text.append(parameter_kind_name(kind)).append(") on axis ").append(std::to_string(rule.axis));
    }
    return text.append(" ").append(rule.limit);
  }

  static bool same(const launch_expression& a, const launch_expression& b) {
    return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                      [](const auto& x, const auto& y) { return x.what == y.what && x.a == y.a && x.b == y.b; });
  }

  // Arithmetic on a 64-bit scalar is followed as if it could not overflow; the launch checks that.
  void require_scalars() {
    for (const std::int64_t p : forms_.relied_scalars()) {
      const auto value = [p] { return launch_expression{{{launch_expression::kind::scalar, p, 0}}}; };
      const auto literal = [](std::int64_t number) {
        return launch_expression{{{launch_expression::kind::number, number, 0}}};
      };
      const std::string name = "scalar parameter " + std::to_string(p);
      source_.checks.push_back({value(), literal(greatest_scalar), {}, name + " is at most 2^53", {}});
      source_.checks.push_back({literal(-greatest_scalar), value(), {}, name + " is at least -2^53", {}});
      if (report_ == nullptr) continue;
      report_->entries.push_back({rung::launch,
                                  name + " stays within 2^53",
                                  {},
                                  "index arithmetic is made with it",
                                  "take a scalar of 32 bits"});
    }
  }

  const value_type& type(value_id value) const { return source_.values[static_cast<std::size_t>(value)]; }
  atom_table& atoms() { return forms_.atoms(); }

  program& source_;
  bounds_report* report_;
  std::vector<std::pair<std::int32_t, std::size_t>> told_;  // checks of the kernel, and their places in the report
  index_forms forms_;
  real_lanes lanes_;
  diagnostics faults_;
  std::vector<linear> facts_;     // forms that are not negative where the walk is
  std::size_t outside_mask_ = 0;  // so many of them hold in masked lanes, too
  bool is_masked_ = false;
  bool is_one_comparison_ = false;  // that mask is
  std::vector<linear> required_;    // and that are not for any launch that was not refused
};

// What was required is now a check of the launch, or proved.
void drop_settled(block& code) {
  std::erase_if(code.body, [](const instruction& next) {
    return is_requirement(next) || (next.op == op::assertion && next.residual_checks.empty());
  });
  for (instruction& next : code.body) {
    for (block& inner : next.blocks) drop_settled(inner);
  }
}

}  // namespace

void check(program& source, bounds_report* report) {
  bounds_checker checker(source, report);
  checker.run();
  drop_settled(source.entry);
  hoist_checks(source);
  place_step_checks(source);
  checker.tell_hoisted();
}

void refuse_residual_checks(const program& source) {
  diagnostics faults;
  for (const residual_check& left : source.residual_checks) {
    if (left.what == residual_check::kind::assertion) continue;  // its author wants it
    faults.add({left.location, "a check is left to the kernel, which denies residual checks: " + left.rule,
                "a bound that the program proves or one comparison of the launch settles", left.reason, left.fix});
  }
  faults.throw_if_any(*source.module);
}

}  // namespace tilewright::compiler
