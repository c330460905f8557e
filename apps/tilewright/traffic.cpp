// SPDX-License-Identifier: Apache-2.0
#include "traffic.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "compiler/element_access.hpp"
#include "compiler/scalar_fold.hpp"
#include "compiler/tile_access.hpp"

using namespace tilewright;
using namespace tilewright::compiler;
using ast::op;

namespace {

constexpr index_t sampled_blocks = 256, sampled_rounds = 64;

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }
index_t ceil_div(index_t a, index_t b) { return (a + b - 1) / b; }

class traffic_counter {
 public:
  traffic_counter(const program& source, const std::vector<argument>& arguments, const std::vector<index_t>& grid)
      : source_(source), arguments_(arguments), grid_(grid), known_(source.values.size()) {
    made_.loaded_bytes.resize(arguments.size());
    made_.stored_bytes.resize(arguments.size());
    for (std::size_t p = 0; p < arguments.size(); ++p) {
      double elements = source.parameters[p].kind == parameter_kind::scalar ? 0 : 1;
      for (int axis = 0; axis < arguments[p].rank; ++axis)
        elements *= static_cast<double>(arguments[p].extents[at(axis)]);
      made_.tensor_bytes.push_back(elements * info(source.parameters[p].element).size_bytes);
    }
  }

  traffic_estimate run() {
    index_t blocks = 1;
    for (const index_t count : grid_) blocks *= count;
    const index_t sample = std::min(blocks, sampled_blocks);
    for (index_t i = 0; i < sample; ++i) {
      // Spread over the grid by whole parts, so that no axis is left out.
      index_t number = static_cast<index_t>(static_cast<__int128>(blocks) * i / sample);
      block_.assign(grid_.size(), 0);
      for (std::size_t axis = grid_.size(); axis-- > 0;) {
        block_[axis] = number % grid_[axis];
        number /= grid_[axis];
      }
      visit(source_.entry, static_cast<double>(blocks) / static_cast<double>(sample));
    }
    made_.loops_that_depend_on_data = static_cast<int>(unknown_loops_.size());
    made_.branches_that_depend_on_data = static_cast<int>(unknown_branches_.size());
    return std::move(made_);
  }

 private:
  void visit(const block& code, double weight) {
    for (const instruction& next : code.body) {
      if (next.op == op::for_begin) {
        visit_loop(next, weight);
      } else if (next.op == op::while_begin) {
        visit_while(next, weight);
      } else if (next.op == op::if_begin) {
        visit_branch(next, weight);
      } else {
        if (next.op == op::assertion) known_[at(next.operands[0])] = 1;  // a launch that fails is not asked about
        if (!next.results.empty()) known_[at(next.results[0])] = value_of(next);
        count(next, weight);
      }
    }
  }

  void visit_loop(const instruction& loop, double weight) {
    const block& body = loop.blocks[0];
    const auto from = known(loop.operands[0]), to = known(loop.operands[1]), step = known(loop.operands[2]);
    for (const value_id carried : body.arguments) known_[at(carried)] = {};
    for (const value_id result : loop.results) known_[at(result)] = {};
    if (!from || !to || !step || *step < 1) {
      unknown_loops_.insert(&loop);
      return visit(body, weight);
    }
    const index_t rounds = *to > *from ? ceil_div(*to - *from, *step) : 0;
    const index_t sample = std::min(rounds, has_control(body) ? sampled_rounds : index_t{1});
    for (index_t i = 0; i < sample; ++i) {
      known_[at(body.arguments[0])] = *from + *step * static_cast<index_t>(static_cast<__int128>(rounds) * i / sample);
      visit(body, weight * static_cast<double>(rounds) / static_cast<double>(sample));
    }
  }

  // Data ends it: counted as one round.
  void visit_while(const instruction& loop, double weight) {
    for (const value_id carried : loop.blocks[0].arguments) known_[at(carried)] = {};
    for (const value_id result : loop.results) known_[at(result)] = {};
    unknown_loops_.insert(&loop);
    visit(loop.blocks[0], weight);
  }

  void visit_branch(const instruction& branch, double weight) {
    const auto condition = known(branch.operands[0]);
    if (!condition) unknown_branches_.insert(&branch);
    for (const value_id result : branch.results) known_[at(result)] = {};
    const block& taken = branch.blocks[condition.value_or(1) != 0 ? 0 : 1];
    visit(taken, weight);
    for (std::size_t i = 0; condition && i < branch.results.size(); ++i) {
      known_[at(branch.results[i])] = known(taken.yields[i]);
    }
  }

  static bool has_control(const block& code) {
    return std::any_of(code.body.begin(), code.body.end(), [](const instruction& i) { return !i.blocks.empty(); });
  }

  std::optional<index_t> value_of(const instruction& next) const {
    const value_type& type = source_.values[at(next.results[0])];
    if (type.rank != 0 || is_floating(type.element)) return {};
    switch (next.op) {
      case op::constant:
        return next.attributes[0];
      case op::block_id:
        return block_[at(next.attributes[0])];
      case op::block_count:
        return grid_[at(next.attributes[0])];
      case op::extent:
        return arguments_[at(next.attributes[0])].extents[at(next.attributes[1])];
      case op::tiles:
        return ceil_div(arguments_[at(next.attributes[0])].extents[at(next.attributes[1])], next.attributes[2]);
      case op::scalar:
        return fold_cast(type.element, dtype::i64, static_cast<index_t>(arguments_[at(next.attributes[0])].scalar));
      case op::cast: {
        const auto from = known(next.operands[0]);
        return from ? std::optional(fold_cast(type.element, operand_element(next), *from)) : std::nullopt;
      }
      case op::select: {
        const auto condition = known(next.operands[0]);
        return condition ? known(next.operands[*condition != 0 ? 1 : 2]) : std::nullopt;
      }
      default:
        break;
    }
    index_t words[3] = {};
    if (next.operands.empty() || next.operands.size() > std::size(words)) return {};
    for (std::size_t i = 0; i < next.operands.size(); ++i) {
      const auto operand = known(next.operands[i]);
      if (!operand) return {};
      words[i] = *operand;
    }
    return fold(next.op, operand_element(next), words[0], words[1], words[2]);
  }

  dtype operand_element(const instruction& next) const { return source_.values[at(next.operands[0])].element; }

  void count(const instruction& next, double weight) {
    using category = ast::op_category;
    switch (next.op) {
      case op::load:
      case op::load_window:
      case op::load_piece:
      case op::gather_rows:
        made_.loaded_bytes[at(next.attributes[0])] += weight * bytes(next, next.results[0]);
        return;
      case op::gather:
        made_.loaded_bytes[at(next.attributes[0])] += weight * chosen_bytes(next);
        return;
      case op::combine_at:
        made_.loaded_bytes[at(next.attributes[0])] += weight * chosen_bytes(next);
        made_.stored_bytes[at(next.attributes[0])] += weight * chosen_bytes(next);
        return;
      case op::combine:
        made_.loaded_bytes[at(next.attributes[0])] += weight * bytes(next, next.operands[0]);
        [[fallthrough]];
      case op::store:
      case op::store_tile:
      case op::store_rows:
        made_.stored_bytes[at(next.attributes[0])] += weight * bytes(next, next.operands[0]);
        return;
      case op::mma: {
        const value_type& a = source_.values[at(next.operands[0])];
        made_.mma_operations += weight * 2 * static_cast<double>(a.extents[at(a.rank - 1)]) * elements(next.results[0]);
        return;
      }
      default:
        break;
    }
    const category kind = ast::info(next.op).category;
    if (ast::has_combiner(next.op)) {
      const auto is_operation = [](const instruction& i) { return i.op != op::constant; };
      const block& combiner = next.blocks[0];
      const auto operations = std::count_if(combiner.body.begin(), combiner.body.end(), is_operation);
      made_.element_operations += weight * static_cast<double>(operations) * elements(next.operands[0]);
    } else if (kind == category::reduce || kind == category::scan) {
      made_.element_operations += weight * elements(next.operands[0]);
    } else if ((kind >= category::unary && kind <= category::convert) && source_.values[at(next.results[0])].rank > 0) {
      made_.element_operations += weight * elements(next.results[0]);
    }
  }

  double elements(value_id value) const { return static_cast<double>(source_.values[at(value)].elements()); }

  // Of an axis, on the average over its windows: the last ones may reach past it.
  static double window_width(index_t extent, index_t width, index_t step) {
    const index_t windows = ceil_div(extent, step);
    const index_t whole = extent < width ? 0 : (extent - width) / step + 1, rest = windows - whole;
    // The windows that reach past the end have extent - i * step lanes inside, at most `width`.
    const index_t left = rest * extent - step * (whole + windows - 1) * rest / 2;
    return windows == 0 ? 0 : static_cast<double>(whole * width + left) / static_cast<double>(windows);
  }

  // Of a tile, on the average over the tiles of the tensor: the last ones of an axis may reach past it.
  double bytes(const instruction& access, value_id tile) const {
    const value_type& type = source_.values[at(tile)];
    const argument& tensor = arguments_[at(access.attributes[0])];
    double inside = 1;
    for (int axis = 0; axis < type.rank; ++axis) {
      const bool is_placed = access.op == op::store_rows && axis == 0;
      const index_t width = type.extents[at(axis)];
      const index_t extent = is_placed ? arguments_[at(access.attributes[1])].extents[0] : tensor.extents[at(axis)];
      if (access.op == op::load_window) {
        inside *= window_width(extent, width, tile_step(source_, access, at(axis)));
        continue;
      }
      const bool is_gathered = access.op == op::gather_rows && axis == 0;
      const index_t tiles = is_gathered ? 1 : std::max<index_t>(1, ceil_div(extent, width));
      inside *= is_gathered ? static_cast<double>(width) : static_cast<double>(extent) / static_cast<double>(tiles);
    }
    return inside * info(type.element).size_bytes;
  }

  // As if the mask left no lane out.
  double chosen_bytes(const instruction& access) const {
    const value_type lanes = lanes_of(source_, access);
    return static_cast<double>(lanes.elements()) * info(lanes.element).size_bytes;
  }

  std::optional<index_t> known(value_id value) const { return known_[at(value)]; }

  const program& source_;
  const std::vector<argument>& arguments_;
  const std::vector<index_t>& grid_;
  std::vector<std::optional<index_t>> known_;
  std::vector<index_t> block_;
  std::set<const instruction*> unknown_loops_, unknown_branches_;
  traffic_estimate made_;
};

}  // namespace

traffic_estimate estimate_traffic(const program& source, const std::vector<argument>& arguments,
                                  const std::vector<index_t>& grid) {
  return traffic_counter(source, arguments, grid).run();
}
