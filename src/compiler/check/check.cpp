// SPDX-License-Identifier: Apache-2.0
// The bounds ladder: each tile index, row index, divisor and step is proved by the program alone, or by one comparison
// per launch, or refused.
#include "compiler/bind/dim_values.hpp"
#include "compiler/check/index_forms.hpp"
#include "compiler/diagnostics.hpp"
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

bool divides_integers(const instruction& next, const program& source) {
  switch (next.op) {
    case op::divide:
    case op::remainder:
    case op::floor_div:
    case op::floor_mod:
      return is_integer(source.values[static_cast<std::size_t>(next.results[0])].element);
    default:
      return false;
  }
}

class bounds_checker {
 public:
  explicit bounds_checker(program& source) : source_(source), forms_(source, scalar_trust::checked) {}

  void run() {
    visit(source_.entry);
    require_scalars();
    faults_.throw_if_any(*source_.module);
  }

 private:
  void visit(const block& code) {
    for (const instruction& next : code.body) visit(next);
  }

  void visit(const instruction& next) {
    if (next.op == op::for_begin) return visit_loop(next);
    if (next.op == op::if_begin) return visit_branch(next);
    if (next.op == op::load) visit_load(next);
    if (next.op == op::gather_rows) visit_gather(next);
    if (next.op == op::require_equal) visit_requirement(next);
    if (divides_integers(next, source_)) visit_division(next);
  }

  void visit_requirement(const instruction& requirement) {
    const obligation rule{.at = requirement,
                          .subject = "a pair of extents",
                          .limit = "is equal",
                          .fix = "give arguments whose extents fit together"};
    const linear a = forms_.exact_form_of(requirement.operands[0]), b = forms_.exact_form_of(requirement.operands[1]);
    require(rule, a, b);
    require(rule, b, a);
  }

  void visit_loop(const instruction& loop) {
    const obligation step{.at = loop,
                          .subject = "the step of a range",
                          .limit = "is at least 1",
                          .fix = "give a positive step: max(step, 1)"};
    require(step, number(1), forms_.exact_form_of(loop.operands[2]));
    const std::size_t outer = facts_.size();
    const auto length = subtract(forms_.exact_form_of(loop.operands[1]), forms_.exact_form_of(loop.operands[0]));
    if (const auto fact = length ? add(*length, number(-1)) : std::nullopt) facts_.push_back(*fact);
    visit(loop.blocks[0]);
    facts_.resize(outer);
  }

  void visit_branch(const instruction& branch) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t outer = facts_.size();
      forms_.conclude(branch.operands[0], side == 0, facts_);
      visit(branch.blocks[side]);
      facts_.resize(outer);
    }
  }

  void visit_load(const instruction& load) {
    const value_type& tile = type(load.results[0]);
    for (int axis = 0; axis < tile.rank; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      require_tile_index(load, load.operands[at], axis, tile.extents[at]);
    }
  }

  void require_tile_index(const instruction& at, value_id index, int axis, std::int64_t tile_extent) {
    obligation rule{.at = at,
                    .subject = "a tile index",
                    .parameter = at.attributes[0],
                    .axis = axis,
                    .limit = "is not negative",
                    .fix = "clamp the index: max(i, 0)"};
    const linear form = forms_.form_of(index);
    require(rule, number(0), form);
    rule.limit = "stays under the number of tiles";
    rule.fix = "clamp the index: min(i, x.tiles(axis) - 1), or loop up to x.tiles(axis)";
    require(rule, form, *add(forms_.tile_count(at.attributes[0], axis, tile_extent), number(-1)));
  }

  void visit_gather(const instruction& gather) {
    obligation rule{.at = gather,
                    .subject = "a row index",
                    .parameter = gather.attributes[0],
                    .axis = 0,
                    .limit = "is not negative",
                    .fix = "clamp the index tile: min(max(rows, 0), x.extent(0) - 1)"};
    const linear row = forms_.exact_form_of(gather.operands[0]);
    require(rule, number(0), row);
    rule.limit = "stays under the number of rows";
    require(rule, row, *add(forms_.extent(gather.attributes[0], 0), number(-1)));
    require_tile_index(gather, gather.operands[1], 1, type(gather.results[0]).extents[1]);
  }

  void visit_division(const instruction& division) {
    const obligation rule{
        .at = division, .subject = "a divisor", .limit = "is not zero", .fix = "make it positive: max(d, 1)"};
    const linear divisor = forms_.exact_form_of(division.operands[1]);
    const auto opposite = scale(divisor, -1);
    if (opposite && is_proved(number(1), *opposite)) return;
    require(rule, number(1), divisor, opposite);
  }

  // ---- The ladder
  bool is_proved(const linear& lesser, const linear& greater) {
    const auto slack = subtract(greater, lesser);
    if (!slack) return false;
    if (atoms().is_never_negative(*slack)) return true;
    for (const linear& fact : facts_) {
      const auto rest = subtract(*slack, fact);
      if (rest && atoms().is_never_negative(*rest)) return true;
    }
    return false;
  }

  // `lesser <= greater` always, or `lesser <= other` always, where there is another.
  void require(const obligation& rule, const linear& lesser, const linear& greater,
               const std::optional<linear>& other = {}) {
    if (is_proved(lesser, greater)) return;
    const bool is_never = is_refuted(lesser, greater) && (!other || is_refuted(lesser, *other));
    if (is_never && is_certain()) return refute(rule, lesser, greater);
    launch_bound left = upper_bound(lesser), right = lower_bound(greater);
    if (other) {
      const launch_bound second = lower_bound(*other);
      right = {atoms().maximum(right.form, second.form), right.is_weak || second.is_weak};
    }
    if (left.is_weak || right.is_weak) return refuse(rule);
    add_check(rule, left.form, right.form);
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

  // The best bound that a launch can evaluate: each fact f >= 0 gives one more, since x <= x + f.
  launch_bound upper_bound(const linear& form) {
    launch_bound best = atoms().highest(form);
    for (const linear& fact : facts_) {
      const auto wider = shares_an_atom(form, fact) ? add(form, fact) : std::nullopt;
      if (wider) best = better(best, atoms().highest(*wider), true);
    }
    return best;
  }

  launch_bound lower_bound(const linear& form) {
    launch_bound best = atoms().lowest(form);
    for (const linear& fact : facts_) {
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

  void refuse(const obligation& rule) {
    faults_.add({rule.at.location, "not proved: " + rule_text(rule), "a bound that follows from the launch alone",
                 "a value that depends on data", rule.fix});
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
    }
  }

  const value_type& type(value_id value) const { return source_.values[static_cast<std::size_t>(value)]; }
  atom_table& atoms() { return forms_.atoms(); }

  program& source_;
  index_forms forms_;
  diagnostics faults_;
  std::vector<linear> facts_;  // forms that are not negative where the walk is
};

// What was required is now a check of the launch, or proved.
void drop_requirements(block& code) {
  std::erase_if(code.body, [](const instruction& next) { return next.op == op::require_equal; });
  for (instruction& next : code.body) {
    for (block& inner : next.blocks) drop_requirements(inner);
  }
}

}  // namespace

void check(program& source) {
  bounds_checker(source).run();
  drop_requirements(source.entry);
}

}  // namespace tilewright::compiler
