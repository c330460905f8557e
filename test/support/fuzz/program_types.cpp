// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/program_types.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "compiler/bind/shape_rules.hpp"
#include "compiler/loops.hpp"
#include "compiler/type_text.hpp"
#include "support/fuzz/value_facts.hpp"
#include "tilewright/ast/products.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::result_rule;
using compiler::block;
using compiler::instruction;
using compiler::program;
using compiler::value_id;
using compiler::value_type;

class type_walk {
 public:
  explicit type_walk(const program& source)
      : source_(source), is_known_(source.values.size(), false), makers_(source.values.size(), nullptr) {}

  std::string run() {
    visit(source_.entry);
    return fault_;
  }

 private:
  void visit(const block& code) {
    for (const value_id value : code.arguments) is_known_[at(value)] = true;
    for (const instruction& next : code.body) {
      if (fault_.empty()) visit(next);
    }
    require(are_known(code.yields), "a yield without a value");
  }

  void visit(const instruction& next) {
    const std::string name = ast::info(next.op).name;
    require(are_known(next.operands), name + " of a value that is not there");
    if (!fault_.empty()) return;
    if (compiler::is_loop(next)) {
      visit_loop(next);
    } else if (next.op == op::while_condition) {
      require(is_scalar(next.operands[0], dtype::boolean), "a condition that is no scalar");
    } else if (next.op == op::if_begin) {
      visit_branch(next);
    } else if (ast::has_combiner(next.op)) {
      visit_combined(next);
    } else {
      require(is_sound(next), name + " does not fit its operands");
    }
    for (const value_id value : next.results) {
      is_known_[at(value)] = true;
      makers_[at(value)] = &next;
    }
  }

  void visit_loop(const instruction& loop) {
    const block& body = loop.blocks[0];
    if (loop.op == op::for_begin) loops_[body.arguments[0]] = &loop;
    visit(body);
    require(loop.op == op::for_begin || is_bounded(loop), "a loop that may not end");
    const std::size_t initial = compiler::first_initial(loop), first = compiler::first_carried(loop);
    for (std::size_t i = 0; i < loop.results.size(); ++i) {
      const value_type& carried = type(loop.results[i]);
      require(carried == type(loop.operands[initial + i]) && carried == type(body.arguments[first + i]) &&
                  carried == type(body.yields[i]),
              "a loop changes a type");
    }
  }
  // Whether its first value counts up by one while it is less than a small number.
  bool is_bounded(const instruction& loop) const {
    const block& body = loop.blocks[0];
    const auto asked = std::find_if(body.body.begin(), body.body.end(),
                                    [](const instruction& next) { return next.op == op::while_condition; });
    if (asked == body.body.end() || body.arguments.empty()) return false;
    const instruction* less = maker(asked->operands[0], op::bit_and);
    less = less != nullptr ? maker(less->operands[0], op::less) : maker(asked->operands[0], op::less);
    const instruction* next = maker(body.yields[0], op::add);
    if (less == nullptr || next == nullptr) return false;
    const instruction* limit = maker(less->operands[1], op::constant);
    const instruction* step = maker(next->operands[1], op::constant);
    return limit != nullptr && step != nullptr && limit->attributes[0] <= 8 && step->attributes[0] == 1 &&
           less->operands[0] == body.arguments[0] && next->operands[0] == body.arguments[0];
  }
  const instruction* maker(value_id value, op which) const {
    const instruction* made = makers_[at(value)];
    return made != nullptr && made->op == which ? made : nullptr;
  }

  void visit_branch(const instruction& branch) {
    require(is_scalar(branch.operands[0], dtype::boolean), "a condition that is no scalar");
    for (const block& side : branch.blocks) {
      visit(side);
      for (std::size_t i = 0; i < branch.results.size(); ++i) {
        require(type(branch.results[i]) == type(side.yields[i]), "a branch gives another type");
      }
    }
  }

  void visit_combined(const instruction& next) {
    const block& combiner = next.blocks[0];
    const std::size_t count = next.operands.size();
    visit(combiner);
    for (std::size_t n = 0; n < count; ++n) {
      value_type wanted = type(next.operands[n]);
      const dtype element = wanted.element;
      require(wanted.extents == type(next.operands[0]).extents, "tiles of two shapes are combined");
      if (next.op == op::reduce_begin) wanted.extents[at(next.attributes[0])] = 1;
      require(type(next.results[n]) == wanted && is_scalar(combiner.arguments[n], element) &&
                  is_scalar(combiner.arguments[count + n], element) && is_scalar(combiner.yields[n], element),
              "a combiner changes a type");
    }
  }

  bool is_sound(const instruction& next) const {
    if (next.results.empty()) return is_sound_effect(next);
    const value_type& result = type(next.results[0]);
    if (next.op == op::load_piece) return result == piece(next.attributes[0]);
    if (ast::loads_tile(next.op) || next.op == op::gather_rows) return is_sound_load(next, result);
    std::vector<value_type> given;
    for (const value_id operand : next.operands) given.push_back(type(operand));
    if (compiler::find_shape_fault(next.op, given, result, next.attributes)) return false;
    return next.op == op::gather ? is_sound_gather(next, given, result) : has_sound_elements(next.op, given, result);
  }

  bool is_sound_effect(const instruction& next) const {
    switch (next.op) {
      case op::store:
      case op::combine:
        return type(next.operands[0]) == piece(next.attributes[0]);
      case op::store_tile:
        return is_sound_tile(next);
      case op::store_rows:
        return type(next.operands[0]) == piece(next.attributes[0]) && has_own_rows(next);
      case op::combine_at:
        return is_sound_choice(next);
      case op::assertion:
        return type(next.operands[0]).element == dtype::boolean;
      default:
        return next.op == op::print && next.attributes[0] == static_cast<std::int64_t>(next.operands.size());
    }
  }

  // On each whole axis at the variable of a loop over all of its tiles.
  bool is_sound_tile(const instruction& store) const {
    const value_type& tile = type(store.operands[0]);
    const std::int64_t p = store.attributes[0];
    value_type wanted = piece(p);
    std::size_t operand = 1;
    for (std::size_t axis = 0; axis < at(wanted.rank); ++axis) {
      if (wanted.extents[axis] != 0) continue;
      wanted.extents[axis] = tile.extents[axis];
      if (operand == store.operands.size()) return false;
      const auto loop = loops_.find(store.operands[operand++]);
      if (loop == loops_.end() || !runs_over_tiles(*loop->second, p, axis, tile.extents[axis])) return false;
    }
    return tile == wanted && operand == store.operands.size();
  }
  bool runs_over_tiles(const instruction& loop, std::int64_t p, std::size_t axis, std::int32_t extent) const {
    const instruction *from = maker(loop.operands[0], op::constant), *count = maker(loop.operands[1], op::tiles),
                      *step = maker(loop.operands[2], op::constant);
    return from != nullptr && count != nullptr && step != nullptr && from->attributes[0] == 0 &&
           step->attributes[0] == 1 &&
           count->attributes == std::vector<std::int64_t>{p, static_cast<std::int64_t>(axis), extent};
  }

  // The rows that this block's tile of the unique indices names.
  bool has_own_rows(const instruction& store) const {
    const instruction* column = maker(store.operands[1], op::reshape);
    const instruction* line = column != nullptr ? maker(column->operands[0], op::load) : nullptr;
    if (line == nullptr || line->attributes[0] != store.attributes[1] || line->attributes[1] == 0) return false;
    const instruction *block = maker(line->operands[0], op::block_id), *pad = maker(line->operands[1], op::constant);
    return block != nullptr && block->attributes[0] == 0 && pad != nullptr && pad->attributes[0] == -1 &&
           type(store.operands[1]).extents[0] == type(store.operands[0]).extents[0];
  }

  bool is_sound_choice(const instruction& combine) const {
    const compiler::program_parameter& to = source_.parameters[at(combine.attributes[0])];
    const value_type& tile = type(combine.operands[0]);
    const auto is_index = [](dtype element) { return !is_floating(element) && element != dtype::boolean; };
    const std::size_t rank = at(to.rank);
    if (tile.element != to.element || combine.operands.size() != 1 + rank + (combine.attributes[1] != 0 ? 1 : 0)) {
      return false;
    }
    for (std::size_t n = 1; n < combine.operands.size(); ++n) {
      const value_type& operand = type(combine.operands[n]);
      if (operand.extents != tile.extents || operand.rank != tile.rank) return false;
      if (n <= rank ? !is_index(operand.element) : operand.element != dtype::boolean) return false;
    }
    return true;
  }

  bool is_sound_load(const instruction& load, const value_type& result) const {
    const compiler::program_parameter& from = source_.parameters[at(load.attributes[0])];
    if (from.element != result.element || from.rank != result.rank) return false;
    if (load.op == op::gather_rows) {
      value_type rows = type(load.operands[0]);
      rows.extents[1] = result.extents[1];
      return rows.extents == result.extents && !is_floating(rows.element) && rows.element != dtype::boolean;
    }
    for (std::int8_t axis = 0; load.op == op::load_window && axis < result.rank; ++axis) {
      if (load.attributes[2 + at(axis)] < 1) return false;
    }
    return std::all_of(load.operands.begin(), load.operands.begin() + result.rank,
                       [&](value_id index) { return is_scalar(index, dtype::index); });
  }

  bool is_sound_gather(const instruction& gather, const std::vector<value_type>& given,
                       const value_type& result) const {
    const compiler::program_parameter& from = source_.parameters[at(gather.attributes[0])];
    const auto rank = static_cast<std::size_t>(from.rank);
    if (from.element != result.element || given.size() != rank + (gather.attributes[1] != 0 ? 1 : 0)) return false;
    if (given.size() > rank && given.back().element != dtype::boolean) return false;
    return std::all_of(given.begin(), given.begin() + from.rank, [](const value_type& index) {
      return !is_floating(index.element) && index.element != dtype::boolean;
    });
  }

  static bool has_sound_elements(op which, const std::vector<value_type>& given, const value_type& result) {
    const ast::op_info& row = ast::info(which);
    if (which == op::select) return given[0].element == dtype::boolean && are_of(given, 1, result.element);
    if (which == op::mma) {
      return ast::are_factors(given[0].element, given[1].element) && ast::sums_in(given[0].element, result.element) &&
             given[2] == result;
    }
    if (which == op::mma_scaled) {
      return result.rank == 2 && result.element == dtype::f32 && given[2] == result &&
             given[0].element == given[1].element && given[3].element == given[4].element;
    }
    if (row.category == ast::op_category::convert) {
      return takes(which, result.element) && takes(which, given[0].element) &&
             (which == op::cast ? ast::is_converted : ast::shares_bits)(given[0].element, result.element);
    }
    if (given.empty()) return takes(which, result.element);
    if (!takes(which, given[0].element) || !are_of(given, 1, given[0].element)) return false;
    if (row.result == result_rule::boolean) return result.element == dtype::boolean;
    if (row.result == result_rule::reduced_index) return result.element == dtype::index;
    return result.element == given[0].element;
  }
  static bool are_of(const std::vector<value_type>& given, std::size_t from, dtype element) {
    return std::all_of(given.begin() + static_cast<std::ptrdiff_t>(from), given.end(),
                       [&](const value_type& each) { return each.element == element; });
  }

  bool are_known(const std::vector<value_id>& values) const {
    return std::all_of(values.begin(), values.end(), [&](value_id value) { return is_known_[at(value)]; });
  }
  bool is_scalar(value_id value, dtype element) const {
    return type(value).rank == 0 && type(value).element == element;
  }
  value_type piece(std::int64_t p) const {
    const compiler::program_parameter& output = source_.parameters[at(p)];
    return {.element = output.element, .rank = output.rank, .extents = output.piece};
  }
  void require(bool holds, const std::string& rule) {
    if (!holds && fault_.empty()) fault_ = rule;
  }
  const value_type& type(value_id value) const { return source_.values[at(value)]; }
  static std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

  const program& source_;
  std::vector<bool> is_known_;
  std::vector<const instruction*> makers_;
  std::map<value_id, const instruction*> loops_;  // by their variable
  std::string fault_;
};

}  // namespace

std::string first_type_fault(const program& source) { return type_walk(source).run(); }

}  // namespace tilewright::test
