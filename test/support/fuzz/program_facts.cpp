// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "compiler/loops.hpp"
#include "support/fuzz/value_facts.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::block;
using compiler::instruction;
using compiler::program;
using compiler::value_id;
using compiler::value_type;

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
      case op::store_tile:
      case op::store_rows:
        return note_store(next);
      case op::combine:
      case op::combine_at:
      case op::print:
      case op::assertion:
        for (const value_id shown : next.operands) is_comparable_ = is_comparable_ && of(shown).ulp == 0;
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
    if (condition == nullptr || condition->op != op::equal || condition->operands[0] != condition->operands[1]) {
      return false;
    }
    const value_id asked = condition->operands[0];
    const instruction* maker = makers_[at(asked)];
    return asked == x ||
           (maker != nullptr && maker->op == op::cast && maker->operands[0] == x && is_floating(type(asked).element));
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
