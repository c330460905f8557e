// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/atoms.hpp"

#include <algorithm>

#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

constexpr wide infinite = wide{1} << 120;  // and more: unbounded
constexpr integer_range unbounded{-infinite, infinite};
constexpr int greatest_depth = 8;  // of a proof; deeper questions go to the launch

wide floor_quotient(wide a, wide b) {
  const wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

bool is_bounded(const integer_range& range) { return range.low > -infinite && range.high < infinite; }

integer_range sum_range(const integer_range& x, const integer_range& y) {
  return {x.low <= -infinite || y.low <= -infinite ? -infinite : std::clamp(x.low + y.low, -infinite, infinite),
          x.high >= infinite || y.high >= infinite ? infinite : std::clamp(x.high + y.high, -infinite, infinite)};
}

integer_range product_range(const integer_range& x, const integer_range& y) {
  if (!is_bounded(x) || !is_bounded(y)) return unbounded;
  wide corners[4];
  const bool has_overflow =
      __builtin_mul_overflow(x.low, y.low, &corners[0]) || __builtin_mul_overflow(x.low, y.high, &corners[1]) ||
      __builtin_mul_overflow(x.high, y.low, &corners[2]) || __builtin_mul_overflow(x.high, y.high, &corners[3]);
  if (has_overflow) return unbounded;
  const integer_range products{*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  return is_bounded(products) ? products : unbounded;
}

// A range that is whole 64-bit values: what an exact operand has.
integer_range within_64_bits(const integer_range& range) {
  return {std::max(range.low, range_of_64_bits.low), std::min(range.high, range_of_64_bits.high)};
}

}  // namespace

// ---- Making forms --------------------------------------------------------------------------------------------------
std::int32_t atom_table::intern(const atom& wanted) {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const atom& known = atoms_[i];
    if (known.what == wanted.what && known.a == wanted.a && known.b == wanted.b && known.x == wanted.x &&
        known.y == wanted.y) {
      return static_cast<std::int32_t>(i);
    }
  }
  atoms_.push_back(wanted);
  return static_cast<std::int32_t>(atoms_.size()) - 1;
}

linear atom_table::extent(std::int32_t parameter, std::int32_t axis, integer_range range) {
  return single(intern({kind::extent, parameter, axis, {}, {}, range, true, false}));
}

linear atom_table::grid(std::int32_t axis, integer_range range) {
  return single(intern({kind::grid, axis, 0, {}, {}, range, true, false}));
}

linear atom_table::scalar(std::int32_t parameter, integer_range range) {
  return single(intern({kind::scalar, parameter, 0, {}, {}, range, true, false}));
}

linear atom_table::block(std::int32_t axis, const linear& grid_size) {
  const linear last = *add(grid_size, number(-1));
  return single(intern({kind::block, axis, 0, {}, last, {0, range(last).high}, false, false}));
}

linear atom_table::free(std::int32_t value, const linear& lower, const linear& upper, bool is_weak) {
  const integer_range both = within_64_bits({range(lower).low, range(upper).high});
  return single(intern({kind::free, value, 0, lower, upper, both, false, is_weak}));
}

linear atom_table::minimum(const linear& x, const linear& y) {
  if (const auto difference = subtract(y, x); difference && is_never_negative(*difference)) return x;
  if (const auto difference = subtract(x, y); difference && is_never_negative(*difference)) return y;
  const integer_range a = range(x), b = range(y);
  const bool is_known = is_known_at_launch(x) && is_known_at_launch(y);
  return single(
      intern({kind::minimum, 0, 0, x, y, {std::min(a.low, b.low), std::min(a.high, b.high)}, is_known, false}));
}

linear atom_table::maximum(const linear& x, const linear& y) {
  if (const auto difference = subtract(x, y); difference && is_never_negative(*difference)) return x;
  if (const auto difference = subtract(y, x); difference && is_never_negative(*difference)) return y;
  const integer_range a = range(x), b = range(y);
  const bool is_known = is_known_at_launch(x) && is_known_at_launch(y);
  return single(
      intern({kind::maximum, 0, 0, x, y, {std::max(a.low, b.low), std::max(a.high, b.high)}, is_known, false}));
}

std::optional<linear> atom_table::floor_div(const linear& x, const linear& y) {
  const integer_range below = range(y);
  if (below.low < 0 || (y.is_number() && y.constant == 0)) return {};
  linear whole, rest = number(x.constant);
  if (y.is_number()) {  // (c * a + b) / c is a + b / c
    whole.constant = static_cast<std::int64_t>(floor_quotient(x.constant, y.constant));
    rest.constant = static_cast<std::int64_t>(wide{x.constant} - wide{whole.constant} * y.constant);
    for (const linear_term& term : x) {
      linear& into = term.factor % y.constant == 0 ? whole : rest;
      into.terms[into.count++] = {term.atom, &into == &whole ? term.factor / y.constant : term.factor};
    }
    if (rest.is_number()) return whole;  // 0 <= rest < y
    if (range(rest).low >= 0 && range(rest).high < y.constant) return whole;
  } else {
    rest = x;
  }
  const wide least_divisor = std::max<wide>(below.low, 1), greatest_divisor = std::max<wide>(below.high, 1);
  const integer_range top = range(rest);
  const wide corners[] = {floor_quotient(top.low, least_divisor), floor_quotient(top.low, greatest_divisor),
                          floor_quotient(top.high, least_divisor), floor_quotient(top.high, greatest_divisor)};
  const integer_range quotients{*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  const bool is_known = is_known_at_launch(rest) && is_known_at_launch(y);
  return add(whole, single(intern({kind::floor_div, 0, 0, rest, y, quotients, is_known, false})));
}

std::optional<linear> atom_table::floor_mod(const linear& x, const linear& y) {
  const integer_range above = range(x), below = range(y);
  if (below.low < 0 || (y.is_number() && y.constant == 0)) return {};
  if (const auto room = subtract(y, x); room && above.low >= 0) {
    if (const auto under = add(*room, number(-1)); under && is_never_negative(*under)) return x;
  }
  const wide greatest = std::max<wide>(below.high - 1, 0);
  const integer_range rests{0, above.low >= 0 ? std::min(above.high, greatest) : greatest};
  const bool is_known = is_known_at_launch(x) && is_known_at_launch(y);
  return single(intern({kind::floor_mod, 0, 0, x, y, rests, is_known, false}));
}

std::optional<linear> atom_table::multiply(const linear& x, const linear& y) {
  if (x.is_number()) return scale(y, x.constant);
  if (y.is_number()) return scale(x, y.constant);
  const bool is_known = is_known_at_launch(x) && is_known_at_launch(y);
  return single(intern({kind::product, 0, 0, x, y, product_range(range(x), range(y)), is_known, false}));
}

// ---- Questions -----------------------------------------------------------------------------------------------------
integer_range atom_table::range(const linear& form) const {
  integer_range sum{form.constant, form.constant};
  for (const linear_term& term : form) {
    const integer_range part = product_range(at(term.atom).range, {term.factor, term.factor});
    sum = sum_range(sum, part);
  }
  return sum;
}

bool atom_table::is_known_at_launch(const linear& form) const {
  return std::all_of(form.begin(), form.end(),
                     [&](const linear_term& term) { return at(term.atom).is_known_at_launch; });
}

// The last atom first: its bounds name earlier ones only, so each step comes nearer to numbers.
bool atom_table::proves(const linear& form, int depth) {
  if (range(form).low >= 0) return true;
  if (depth == greatest_depth || range(form).high < 0) return false;
  for (std::size_t i = form.count; i-- > 0;) {
    const linear_term term = form.terms[i];
    const atom source = at(term.atom);
    const linear rest = *add_scaled(form, -term.factor, single(term.atom));
    const bool needs_upper = term.factor < 0;
    const auto holds_with = [&](const linear& replacement) {
      return proves_with(rest, term.factor, replacement, depth + 1);
    };
    switch (source.what) {
      case kind::minimum:
        return needs_upper ? holds_with(source.x) || holds_with(source.y)
                           : holds_with(source.x) && holds_with(source.y);
      case kind::maximum:
        return needs_upper ? holds_with(source.x) && holds_with(source.y)
                           : holds_with(source.x) || holds_with(source.y);
      case kind::block:
      case kind::free:
        return holds_with(needs_upper ? source.y : source.x);
      case kind::floor_div:
      case kind::floor_mod:
      case kind::product: {
        if (source.is_known_at_launch) break;
        const launch_bound bound = bound_of(term.atom, needs_upper);
        return holds_with(bound.form);
      }
      case kind::extent:
      case kind::grid:
      case kind::scalar:
        break;
    }
  }
  return false;
}

bool atom_table::proves_with(const linear& rest, std::int64_t factor, const linear& replacement, int depth) {
  const auto replaced = add_scaled(rest, factor, replacement);
  return replaced && proves(*replaced, depth);
}

launch_bound atom_table::lowest(const linear& form) {
  launch_bound bound{form, false};
  for (std::size_t i = bound.form.count; i-- > 0;) {
    const linear_term term = bound.form.terms[i];
    if (at(term.atom).is_known_at_launch) continue;
    const launch_bound part = step_to_launch(term.atom, term.factor < 0);
    const linear rest = *add_scaled(bound.form, -term.factor, single(term.atom));
    const auto replaced = add_scaled(rest, term.factor, part.form);
    bound.is_weak = bound.is_weak || part.is_weak;
    if (!replaced) return numeric_bound(form, false);
    bound.form = *replaced;
    i = bound.form.count;  // the replacement may have brought others
  }
  return bound;
}

launch_bound atom_table::highest(const linear& form) {
  const auto negated = scale(form, -1);
  if (!negated) return numeric_bound(form, true);
  const launch_bound bound = lowest(*negated);
  const auto positive = scale(bound.form, -1);
  return positive ? launch_bound{*positive, bound.is_weak} : numeric_bound(form, true);
}

// A nearer bound of an atom: what it depends on stays visible, so that it can still cancel out.
launch_bound atom_table::step_to_launch(std::int32_t position, bool is_upper) {
  const atom& source = at(position);
  if (source.what != kind::block && source.what != kind::free) return bound_of(position, is_upper);
  return {is_upper ? source.y : source.x, source.is_weak};
}

// A bound known at launch of one atom that is not.
launch_bound atom_table::bound_of(std::int32_t position, bool is_upper) {
  const atom source = at(position);
  const auto side = [&](const linear& form) { return is_upper ? highest(form) : lowest(form); };
  switch (source.what) {
    case kind::extent:
    case kind::grid:
    case kind::scalar:
      return {single(position), false};
    case kind::block:
    case kind::free: {
      launch_bound bound = side(is_upper ? source.y : source.x);
      bound.is_weak = bound.is_weak || source.is_weak;
      return bound;
    }
    case kind::minimum:
    case kind::maximum: {
      const launch_bound x = side(source.x), y = side(source.y);
      const bool is_minimum = source.what == kind::minimum;
      // The least of two is under each: one good upper bound is enough. So is one good lower bound of the greatest.
      if (is_minimum == is_upper && x.is_weak != y.is_weak) return x.is_weak ? y : x;
      return {is_minimum ? minimum(x.form, y.form) : maximum(x.form, y.form), x.is_weak || y.is_weak};
    }
    case kind::floor_div:
      return quotient_bound(source.x, source.y, is_upper);
    case kind::floor_mod: {
      if (!is_upper) return {number(0), false};
      const launch_bound divisor = highest(source.y);
      return {*add(divisor.form, number(-1)), divisor.is_weak};
    }
    case kind::product:
      return product_bound(source.x, source.y, is_upper);
  }
  return numeric_bound(single(position), is_upper);
}

// x / y with y >= 1 grows with x; it falls with y where x is not negative and grows where it is.
launch_bound atom_table::quotient_bound(const linear& x, const linear& y, bool is_upper) {
  const launch_bound top = is_upper ? highest(x) : lowest(x);
  const integer_range tops = range(top.form);
  if (tops.low < 0 && !y.is_number()) return {numeric_bound(x, is_upper).form, true};
  const launch_bound bottom = is_upper ? lowest(y) : highest(y);
  const auto quotient = floor_div(top.form, maximum(bottom.form, number(1)));
  if (!quotient) return {numeric_bound(x, is_upper).form, true};
  return {*quotient, top.is_weak || bottom.is_weak};
}

launch_bound atom_table::product_bound(const linear& x, const linear& y, bool is_upper) {
  const launch_bound a = is_upper ? highest(x) : lowest(x), b = is_upper ? highest(y) : lowest(y);
  const bool has_sign = range(x).low >= 0 && range(y).low >= 0 && range(a.form).low >= 0 && range(b.form).low >= 0;
  const auto product = multiply(a.form, b.form);
  if (has_sign && product) return {*product, a.is_weak || b.is_weak};
  const integer_range values = within_64_bits(product_range(range(x), range(y)));
  return {number(static_cast<std::int64_t>(is_upper ? values.high : values.low)), true};
}

launch_bound atom_table::numeric_bound(const linear& form, bool is_upper) const {
  const integer_range values = within_64_bits(range(form));
  return {number(static_cast<std::int64_t>(is_upper ? values.high : values.low)), true};
}

// ---- For the launch ------------------------------------------------------------------------------------------------
launch_expression atom_table::expression(const linear& form) const {
  launch_expression made;
  emit(form, made.terms);
  return made;
}

void atom_table::emit(const linear& form, std::vector<launch_expression::term>& terms) const {
  using term_kind = launch_expression::kind;
  bool is_first = true;
  for (const linear_term& term : form) {
    const std::int64_t factor = is_first ? term.factor : (term.factor < 0 ? -term.factor : term.factor);
    emit(at(term.atom), terms);
    if (factor != 1) {
      terms.push_back({term_kind::number, factor, 0});
      terms.push_back({term_kind::multiply, 0, 0});
    }
    if (!is_first) terms.push_back({term.factor < 0 ? term_kind::subtract : term_kind::add, 0, 0});
    is_first = false;
  }
  if (is_first || form.constant != 0) terms.push_back({term_kind::number, form.constant, 0});
  if (!is_first && form.constant != 0) terms.push_back({term_kind::add, 0, 0});
}

void atom_table::emit(const atom& source, std::vector<launch_expression::term>& terms) const {
  using term_kind = launch_expression::kind;
  const auto both = [&](term_kind operation) {
    emit(source.x, terms);
    emit(source.y, terms);
    terms.push_back({operation, 0, 0});
  };
  switch (source.what) {
    case kind::extent:
      return terms.push_back({term_kind::extent, source.a, source.b});
    case kind::grid:
      return terms.push_back({term_kind::grid, source.a, 0});
    case kind::scalar:
      return terms.push_back({term_kind::scalar, source.a, 0});
    case kind::minimum:
      return both(term_kind::minimum);
    case kind::maximum:
      return both(term_kind::maximum);
    case kind::floor_div:
      return both(term_kind::floor_div);
    case kind::product:
      return both(term_kind::multiply);
    case kind::floor_mod:  // x - floor_div(x, y) * y
      emit(source.x, terms);
      both(term_kind::floor_div);
      emit(source.y, terms);
      terms.push_back({term_kind::multiply, 0, 0});
      terms.push_back({term_kind::subtract, 0, 0});
      return;
    case kind::block:
    case kind::free:
      require_internal(false, "an atom is not known at launch");
  }
}

}  // namespace tilewright::compiler
