// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/value_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "compiler/loops.hpp"
#include "support/element_bits.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::op_category;
using compiler::block;
using compiler::instruction;
using compiler::program;
using compiler::value_id;
using compiler::value_type;
using operands = std::span<const known_operand>;
using fact = std::optional<value_facts>;

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Whole numbers up to here are numbers of the element.
double whole_range(dtype element) { return std::ldexp(1.0, info(element).mantissa_bits); }
// Sums of f16 and bf16 are taken in f32.
double sum_range(dtype element) { return whole_range(element == dtype::f64 ? dtype::f64 : dtype::f32); }

value_facts whole_numbers(double greatest, dtype element) {
  return {.greatest = greatest <= whole_range(element) ? greatest : unbounded};
}

bool is_exact(operands given) {
  return std::all_of(given.begin(), given.end(), [](const known_operand& each) { return each.facts.ulp == 0; });
}

fact cast_facts(const value_type& from, const value_facts& known, dtype to) {
  if (known.ulp != 0) return {};
  if (!is_floating(to)) return value_facts{};
  if (is_floating(from.element)) {
    value_facts made = whole_numbers(known.greatest, to);
    made.may_be_nan = known.may_be_nan;
    return made;
  }
  const int bits = info(from.element).bits - (is_signed(from.element) ? 1 : 0);
  return whole_numbers(bits == 1 ? 1 : std::ldexp(1.0, bits), to);
}

// Sums and products of floats in any order give the same bits when no partial result rounds.
fact combined_facts(op which, const value_type& result, const known_operand& given, std::int64_t axis) {
  if (!is_floating(given.type.element)) return value_facts{};
  const value_facts& known = given.facts;
  const auto count = static_cast<double>(given.type.extents[static_cast<std::size_t>(axis)]);
  switch (which) {
    case op::reduce_max:
    case op::reduce_min:
    case op::scan_max:
    case op::scan_min:
      return known;
    case op::reduce_product:
    case op::scan_product:
      if (known.greatest > 1 || known.ulp != 0 || known.may_be_nan) return {};
      return value_facts{};  // -1 * 0 is -0
    default:
      break;
  }
  const double greatest = known.greatest * count;
  if (known.ulp != 0 || known.may_be_nan || greatest > sum_range(given.type.element)) return {};
  return whole_numbers(greatest, result.element);
}

fact product_facts(const value_type& result, operands given) {
  if (!is_floating(result.element)) return value_facts{};
  for (const known_operand& each : given) {
    if (each.facts.ulp != 0 || each.facts.may_be_nan) return {};
  }
  constexpr double most = 256;  // numbers of every element that a GPU multiplies in, tf32 included
  const double a = given[0].facts.greatest, b = given[1].facts.greatest, start = given[2].facts.greatest;
  if (a > most || b > most) return {};
  const double depth = given[0].type.extents[static_cast<std::size_t>(given[0].type.rank) - 1];
  const double greatest = a * b * depth + start;
  return greatest <= whole_range(result.element) ? fact(whole_numbers(greatest, result.element)) : fact();
}

fact element_wise_facts(op which, const value_type& result, operands given) {
  switch (which) {
    case op::negate: {
      value_facts made = given[0].facts;
      made.greatest = unbounded;  // a zero becomes -0
      return made;
    }
    case op::absolute:
      return given[0].facts;
    case op::minimum:
    case op::maximum:
      return either(given[0].facts, given[1].facts);
    default:
      break;
  }
  if (!is_exact(given)) return {};
  if (!is_floating(result.element)) return value_facts{};
  if (which == op::floor || which == op::ceil) return given[0].facts;
  value_facts made = any_number(result.element);
  // Each of the two may be off by the op's bound.
  if (ast::info(which).ulp > 0.5) made.ulp = 2 * bound_in(result.element, ast::info(which).ulp);
  return made;
}

fact constant_facts(const value_type& result, std::int64_t word) {
  if (!is_floating(result.element)) return value_facts{};
  const double number = std::bit_cast<double>(word);
  const bool is_whole = std::isfinite(number) && std::trunc(number) == number && (number != 0 || !std::signbit(number));
  value_facts made = whole_numbers(is_whole ? std::fabs(number) : unbounded, result.element);
  made.may_be_nan = std::isnan(number);
  return made;
}

}  // namespace

value_facts either(const value_facts& a, const value_facts& b) {
  return {std::max(a.ulp, b.ulp), std::max(a.greatest, b.greatest), a.may_be_nan || b.may_be_nan};
}

value_facts any_number(dtype element) { return {.may_be_nan = is_floating(element)}; }

fact result_facts(op which, const value_type& result, operands given, std::span<const std::int64_t> attributes) {
  switch (which) {
    case op::constant:
      return constant_facts(result, attributes[0]);
    case op::cast:
      return cast_facts(given[0].type, given[0].facts, result.element);
    case op::bitcast:
      if (!is_exact(given) || given[0].facts.may_be_nan) return {};
      return any_number(result.element);
    case op::permute:
    case op::reshape:
    case op::broadcast:
    case op::extract:
      return given[0].facts;
    case op::cat:
      return either(given[0].facts, given[1].facts);
    case op::select:
      return either(given[1].facts, given[2].facts);
    case op::mma:
      return product_facts(result, given);
    case op::argmax:
      return is_exact(given) ? fact(value_facts{}) : fact();
    default:
      break;
  }
  const op_category category = ast::info(which).category;
  if (category == op_category::reduce || category == op_category::scan) {
    return combined_facts(which, result, given[0], attributes[0]);
  }
  if (category == op_category::position || which == op::iota) return value_facts{};
  const bool is_element_wise = category == op_category::unary || category == op_category::binary ||
                               category == op_category::comparison || category == op_category::ternary;
  if (is_element_wise) return element_wise_facts(which, result, given);
  return is_exact(given) ? fact(any_number(result.element)) : fact();  // scalar, load, gather_rows
}

namespace {

// Facts of all values of a program, until nothing changes: loops and tensors carry them around.
class facts_walk {
 public:
  explicit facts_walk(const program& source)
      : source_(source),
        facts_(source.values.size()),
        makers_(source.values.size(), nullptr),
        parameters_(source.parameters.size()) {}

  std::optional<std::vector<double>> run() {
    do {
      has_changed_ = false;
      visit(source_.entry);
    } while (has_changed_ && is_comparable_);
    if (!is_comparable_) return {};
    return parameters_;
  }

 private:
  void visit(const block& code) {
    for (const instruction& next : code.body) {
      if (is_comparable_) visit(next);
    }
  }

  void visit(const instruction& next) {
    for (const value_id result : next.results) makers_[at(result)] = &next;
    switch (next.op) {
      case op::for_begin:
      case op::while_begin:
        return visit_loop(next);
      case op::while_condition:
        if (of(next.operands[0]).ulp != 0) is_comparable_ = false;
        return;
      case op::if_begin:
        return visit_branch(next);
      case op::reduce_begin:
      case op::scan_begin:
        return visit_combined(next);
      case op::store:
        return note_store(next);
      case op::combine:
        if (of(next.operands[0]).ulp != 0) is_comparable_ = false;
        return;
      case op::load_piece: {
        value_facts read = any_number(type(next.results[0]).element);
        read.ulp = parameters_[at(next.attributes[0])];
        return set(next.results[0], read);
      }
      default:
        break;
    }
    std::vector<known_operand> given;
    for (const value_id operand : next.operands) given.push_back({type(operand), of(operand)});
    auto made = result_facts(next.op, type(next.results[0]), given, next.attributes);
    if (next.op == op::select && is_nan_guard(next)) made->may_be_nan = of(next.operands[2]).may_be_nan;
    if (next.op == op::select && of(next.operands[0]).ulp != 0) made.reset();
    if (!made) {
      is_comparable_ = false;
      return;
    }
    set(next.results[0], *made);
  }

  // x == x ? x : other
  bool is_nan_guard(const instruction& select) const {
    const instruction* condition = makers_[at(select.operands[0])];
    const value_id x = select.operands[1];
    return condition != nullptr && condition->op == op::equal && condition->operands[0] == x &&
           condition->operands[1] == x;
  }

  void visit_loop(const instruction& loop) {
    const block& body = loop.blocks[0];
    bool changes = true;
    while (changes && is_comparable_) {
      changes = false;
      for (std::size_t i = 0; i < loop.results.size(); ++i) {
        const value_facts start = of(loop.operands[compiler::first_initial(loop) + i]);
        value_facts& carried = facts_[at(body.arguments[compiler::first_carried(loop) + i])];
        const value_facts met = has_run_.contains(&loop) ? either(start, of(body.yields[i])) : start;
        const value_facts wider = has_run_.contains(&loop) ? either(carried, met) : met;
        changes = changes || !(wider == carried);
        carried = wider;
        set(loop.results[i], wider);
      }
      changes = changes || !has_run_.contains(&loop);
      if (!changes) break;
      visit(body);
      has_run_.insert(&loop);
    }
  }

  void visit_branch(const instruction& branch) {
    if (of(branch.operands[0]).ulp != 0) is_comparable_ = false;
    for (const block& side : branch.blocks) visit(side);
    for (std::size_t i = 0; i < branch.results.size() && is_comparable_; ++i) {
      set(branch.results[i], either(of(branch.blocks[0].yields[i]), of(branch.blocks[1].yields[i])));
    }
  }

  // Any order may be taken, so only what is exact can be compared. A random combiner is.
  void visit_combined(const instruction& next) {
    for (const value_id tile : next.operands) is_comparable_ = is_comparable_ && of(tile).ulp == 0;
    for (const value_id result : next.results) set(result, any_number(type(result).element));
  }

  void note_store(const instruction& store) {
    double& known = parameters_[at(store.attributes[0])];
    const double ulp = of(store.operands[0]).ulp;
    if (ulp <= known) return;
    known = ulp;
    has_changed_ = true;
  }

  void set(value_id value, const value_facts& known) { facts_[at(value)] = known; }
  const value_facts& of(value_id value) const { return facts_[at(value)]; }
  const value_type& type(value_id value) const { return source_.values[at(value)]; }
  static std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

  const program& source_;
  std::vector<value_facts> facts_;
  std::vector<const instruction*> makers_;
  std::vector<double> parameters_;
  std::set<const instruction*> has_run_;
  bool has_changed_ = false, is_comparable_ = true;
};

}  // namespace

std::optional<std::vector<double>> comparison_of(const program& source) { return facts_walk(source).run(); }

}  // namespace tilewright::test
