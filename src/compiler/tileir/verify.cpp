// SPDX-License-Identifier: Apache-2.0
// Walks the kernels in the order in which values are numbered: each operation's counts, its own rule, then what ties it
// to its regions, or to the operations around it that it ends.
#include "compiler/tileir/verify.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/tileir/type_rules.hpp"

namespace tilewright::compiler::tileir {
namespace {

using type_list = std::vector<type_id>;

// An operation whose region the walk is inside of, with what may end a block there.
struct enclosing {
  opcode code;
  const operation* op;
  type_list carried;  // for, loop: what `continue` hands on; reduce, scan: what `yield` does
};

class kernel_check {
 public:
  kernel_check(const bytecode& from, const kernel& checked) : from_(from), checked_(checked) {}

  std::optional<type_fault> run() {
    values_ = from_.types[checked_.signature].parameters;
    const char* rule = block(checked_.body);
    if (rule == nullptr) return {};
    const std::string& name = from_.strings[checked_.name];
    return type_fault{name, count_ > 0 ? count_ - 1 : 0, at_ == nullptr ? "" : row_of(at_->code).mnemonic, rule};
  }

 private:
  const char* block(const std::vector<operation>& body) {
    if (body.empty() || !is_terminator(body.back().code)) return "a block has no end";
    for (const operation& op : body) {
      if (const char* rule = visit(op)) return rule;
      if (is_terminator(op.code) && &op != &body.back()) return "operations follow the end of a block";
    }
    return nullptr;
  }

  // Faults found inside regions keep their place: at_ and count_ stand where the walk stopped.
  const char* visit(const operation& op) {
    ++count_;
    at_ = &op;
    type_list operands;
    for (const value_number value : op.operands) {
      if (value >= values_.size()) return "an operand does not exist here";
      operands.push_back(values_[value]);
    }
    for (const type_id id : op.results) {
      if (from_.types[id].tag == type_tag::function) return "a function is no value";
    }
    const op_row& row = row_of(op.code);
    if (!has_counts(row, op)) return "another number of operands, results or regions than the operation has";
    const typed_operation typed{from_, op, operands};
    const char* rule = broken_rule(typed);
    if (rule == nullptr && is_terminator(op.code)) rule = end(op, operands);
    if (rule == nullptr && row.regions > 0) rule = regions(op, operands);
    if (rule == nullptr && is_pure() && touches_memory(op, operands)) rule = "memory is used inside a reduction";
    values_.insert(values_.end(), op.results.begin(), op.results.end());
    return rule;
  }

  bool has_counts(const op_row& row, const operation& op) const {
    if (row.results >= '0' && row.results <= '9' && op.results.size() != static_cast<std::size_t>(row.results - '0')) {
      return false;
    }
    if (row.results == '-' && !op.results.empty()) return false;
    std::size_t least = 0, group = 0;
    bool is_open = false;
    for (item_cursor items(row.operands); items.next();) {
      if (!items.item().is_present(op.flags, from_.minor)) continue;
      if (items.item().kind == 'v') ++least;
      if (items.item().kind == 'n') is_open = true;
      if (items.item().kind != 'g') continue;
      if (group >= op.groups.size()) return false;
      least += op.groups[group++];
    }
    const bool has_operands = is_open ? op.operands.size() >= least : op.operands.size() == least;
    return has_operands && group == op.groups.size() && op.regions.size() == static_cast<std::size_t>(row.regions);
  }

  bool is_pure() const {
    const auto folds = [](const enclosing& e) { return e.code == opcode::reduce || e.code == opcode::scan; };
    return std::any_of(around_.begin(), around_.end(), folds);
  }
  bool touches_memory(const operation& op, const type_list& operands) const {
    const auto is_token = [&](type_id id) { return from_.types[id].tag == type_tag::token; };
    return op.code == opcode::print || std::any_of(op.results.begin(), op.results.end(), is_token) ||
           std::any_of(operands.begin(), operands.end(), is_token);
  }

  bool are_same(const type_list& a, const type_list& b) const {
    const auto same = [&](type_id x, type_id y) { return is_same(from_, x, y); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
  }

  // ---- Ends of blocks: what they hand on, and to which operation around them
  const enclosing* innermost_loop() const {
    for (std::size_t n = around_.size(); n-- > 0;) {
      if (around_[n].code == opcode::for_ || around_[n].code == opcode::loop) return &around_[n];
      if (around_[n].code != opcode::if_) return nullptr;
    }
    return nullptr;
  }

  const char* end(const operation& op, const type_list& operands) const {
    if (!op.results.empty()) return "the end of a block has no results";
    switch (op.code) {
      case opcode::return_:
        return end_kernel(operands);
      case opcode::yield:
        if (around_.empty() || around_.back().code == opcode::for_ || around_.back().code == opcode::loop) {
          return "there is nothing to yield to";
        }
        return are_same(operands, around_.back().carried) ? nullptr : "what is yielded is not what was promised";
      case opcode::continue_: {
        const enclosing* loop = innermost_loop();
        if (loop == nullptr) return "there is no loop to continue";
        return are_same(operands, loop->carried) ? nullptr : "what the loop carries changes its type";
      }
      default: {
        const enclosing* loop = innermost_loop();
        if (loop == nullptr || loop->code != opcode::loop) return "there is no loop to break out of";
        return are_same(operands, loop->op->results) ? nullptr : "the loop has other results";
      }
    }
  }

  const char* end_kernel(const type_list& operands) const {
    if (!operands.empty()) return "a kernel returns nothing";
    const auto may_be_left = [](const enclosing& e) { return e.code == opcode::if_ || e.code == opcode::loop; };
    return std::all_of(around_.begin(), around_.end(), may_be_left) ? nullptr : "this region cannot be returned from";
  }

  // ---- Operations with regions
  const char* regions(const operation& op, const type_list& operands) {
    switch (op.code) {
      case opcode::for_:
        return counted_loop(op, operands);
      case opcode::loop:
        return inside(op, operands, operands, op.regions[0]);
      case opcode::if_:
        return branch(op, operands);
      default:
        return fold(op, operands);
    }
  }

  const char* inside(const operation& op, const type_list& arguments, type_list carried, const region& body) {
    if (!are_same(arguments, body.arguments)) return "a region's arguments are of other types";
    const std::size_t outside = values_.size();
    values_.insert(values_.end(), body.arguments.begin(), body.arguments.end());
    around_.push_back({op.code, &op, std::move(carried)});
    const char* rule = block(body.body);
    around_.pop_back();
    values_.resize(outside);
    return rule;
  }

  bool is_carried(type_id id) const {
    const type_tag tag = from_.types[id].tag;
    return tag == type_tag::tile || tag == type_tag::token;
  }

  const char* counted_loop(const operation& op, const type_list& operands) {
    if (operands.size() < 3) return "a loop has a start, an end and a step";
    const typed_operation typed{from_, op, operands};
    for (std::size_t n = 0; n < 3; ++n) {
      if (!typed.is_integer_scalar(typed.operand(n)) || !is_same(from_, operands[n], operands[0])) {
        return "start, end and step are no integers of one type";
      }
    }
    const type_list carried(operands.begin() + 3, operands.end());
    if (!are_same(carried, op.results)) return "the results are not what the loop carries";
    for (const type_id id : carried) {
      if (!is_carried(id)) return "only tiles and tokens are carried";
    }
    type_list arguments = {operands[0]};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    return inside(op, arguments, carried, op.regions[0]);
  }

  const char* branch(const operation& op, const type_list& operands) {
    const typed_operation typed{from_, op, operands};
    if (!typed.is_condition(typed.operand(0)) || !typed.operand(0).shape.empty()) return "the condition is no i1";
    for (const type_id id : op.results) {
      if (!is_carried(id)) return "only tiles and tokens leave a branch";
    }
    for (const region& body : op.regions) {
      if (!body.has_block && op.results.empty()) continue;
      if (const char* rule = inside(op, {}, op.results, body)) return rule;
    }
    return nullptr;
  }

  // reduce, scan: for each operand a result, an identity and two scalars inside.
  const char* fold(const operation& op, const type_list& operands) {
    if (operands.empty() || op.results.size() != operands.size() || op.attributes.size() != operands.size()) {
      return "another number of results or identities than operands";
    }
    const std::uint64_t axis = op.fields[0];
    for (std::size_t n = 0; n < operands.size(); ++n) {
      const type &folded = from_.types[operands[n]], &result = from_.types[op.results[n]];
      if (folded.tag != type_tag::tile || folded.shape != from_.types[operands[0]].shape) return "tiles of two shapes";
      if (axis >= folded.shape.size()) return "no such axis";
      std::vector<std::int64_t> left = folded.shape;
      if (op.code == opcode::reduce) left.erase(left.begin() + static_cast<std::ptrdiff_t>(axis));
      if (result.tag != type_tag::tile || result.shape != left) return "the result is of another shape";
      if (!is_same(from_, folded.element, result.element)) return "the result is of another element";
      if (!is_identity(op.attributes[n], folded.element)) return "the identity is of another type";
    }
    return fold_inside(op, operands);
  }

  bool is_identity(const attribute& given, type_id element) const {
    const bool is_number = given.tag == attribute_tag::integer || given.tag == attribute_tag::floating;
    return is_number && is_same(from_, given.of_type, element);
  }

  const char* fold_inside(const operation& op, const type_list& operands) {
    const std::vector<type_id>& arguments = op.regions[0].arguments;
    if (arguments.size() != 2 * operands.size()) return "a region's arguments are of other types";
    type_list scalars;
    for (std::size_t n = 0; n < arguments.size(); ++n) {
      const type& t = from_.types[arguments[n]];
      const bool is_scalar = t.tag == type_tag::tile && t.shape.empty();
      if (!is_scalar || !is_same(from_, t.element, from_.types[operands[n / 2]].element)) {
        return "a region's arguments are of other types";
      }
      if (n % 2 == 0) scalars.push_back(arguments[n]);
    }
    return inside(op, arguments, scalars, op.regions[0]);
  }

  const bytecode& from_;
  const kernel& checked_;
  type_list values_;  // types of the values that exist here, by number
  std::vector<enclosing> around_;
  std::size_t count_ = 0;
  const operation* at_ = nullptr;
};

}  // namespace

std::optional<type_fault> find_fault(const bytecode& source) {
  for (const kernel& each : source.kernels) {
    if (auto fault = kernel_check(source, each).run()) return fault;
  }
  return {};
}

std::string to_text(const type_fault& fault) {
  return "kernel '" + fault.kernel + "', operation " + std::to_string(fault.operation) + " (" + fault.mnemonic +
         "): " + fault.rule;
}

}  // namespace tilewright::compiler::tileir
