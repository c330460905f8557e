// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/plan.hpp"

#include <set>

#include "compiler/cpu/reshape_map.hpp"
#include "compiler/loops.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using ast::op_category;

bool is_reduction(op which) { return ast::info(which).category == op_category::reduce && which != op::argmax; }

// An op that needs all of its operand, or whose result cannot be had element by element.
bool is_always_stored(op which) {
  switch (which) {
    case op::load_piece:
    case op::mma:
    case op::cat:
    case op::for_begin:
    case op::while_begin:
    case op::if_begin:
    case op::reduce_begin:
    case op::scan_begin:
      return true;
    default:
      return ast::info(which).category == op_category::reduce || ast::info(which).category == op_category::scan;
  }
}

// A checked division is done once, where it stands: what nobody reads, or only in a branch, may fail too.
bool is_always_stored(const instruction& i) {
  const bool has_window = ast::loads_tile(i.op) || i.op == op::gather_rows;
  return is_always_stored(i.op) || (!i.residual_checks.empty() && !has_window);
}

// Rough price of one element, in simple vector operations.
int own_cost(op which) {
  switch (which) {
    case op::constant:
    case op::iota:
    case op::permute:
    case op::reshape:
    case op::broadcast:
    case op::extract:
      return 0;
    case op::gather:
    case op::divide:
    case op::sqrt:
    case op::remainder:
    case op::floor_div:
    case op::floor_mod:
      return 6;
    case op::exp:
    case op::exp2:
    case op::log:
    case op::rsqrt:
    case op::tanh:
    case op::sin:
    case op::cos:
    case op::log2:
    case op::tan:
    case op::sinh:
    case op::cosh:
    case op::pow:
    case op::atan2:
      return 16;
    default:
      return 1;
  }
}
constexpr int cheap_cost = 3;

class planner {
 public:
  planner(const program& source, int vector_bytes) : source_(source), vector_bytes_(vector_bytes) {
    const std::size_t count = source.values.size();
    plan_.homes.assign(count, value_home::fused);
    plan_.offsets.assign(count, -1);
    plan_.definitions.assign(count, nullptr);
    plan_.lanes = vector_bytes / 4;
    facts_.resize(count);
  }

  kernel_plan make() {
    define(source_.entry, 0);
    decide(source_.entry);
    for (std::size_t id = 0; id < source_.values.size(); ++id) {
      if (plan_.homes[id] == value_home::stored) plan_.offsets[id] = room(stored_bytes(source_.values[id]));
    }
    lay_out_products(source_.entry);
    return std::move(plan_);
  }

 private:
  struct value_facts {
    int loop = 0;  // number of the innermost loop that it is defined in
    int uses = 0;
    bool is_needed_whole = false;  // some user reads it out of order or in a deeper loop
    std::set<const void*> sinks;   // code that computes its elements, when fused
    int cost = 0;
  };

  const value_type& type(value_id id) const { return source_.values[at(id)]; }

  std::int64_t room(std::int64_t bytes) { return take_room(plan_.scratch_bytes, bytes); }

  // ---- Forward: where values are defined, what an element costs ----
  void define(const block& body, int loop) {
    for (const value_id id : body.arguments) define(id, nullptr, loop);
    for (const instruction& i : body.body) {
      for (const value_id id : i.results) define(id, &i, loop);
      const int inner = is_loop(i) ? loop_numbers_[&i] = ++loops_ : loop;
      for (const block& next : i.blocks) define(next, inner);
      if (i.results.size() == 1 && i.blocks.empty()) facts_[at(i.results[0])].cost = cost_of(i);
    }
  }
  void define(value_id id, const instruction* i, int loop) {
    facts_[at(id)].loop = loop;
    plan_.definitions[at(id)] = i;
    const bool is_tile = type(id).rank != 0;
    const bool is_stored = i == nullptr || is_always_stored(*i);
    plan_.homes[at(id)] = !is_tile ? value_home::scalar : is_stored ? value_home::stored : value_home::fused;
    facts_[at(id)].cost = 1;
  }
  int cost_of(const instruction& i) const {
    if (is_always_stored(i)) return 1;
    int cost = own_cost(i.op);
    for (const value_id id : i.operands) {
      if (type(id).rank != 0) cost += facts_[at(id)].cost;
    }
    return cost;
  }

  // ---- Backward: users come before their operands, so that each knows who computes it ----
  void decide(const block& body) {
    const int loop = current_loop_;
    for (const value_id id : body.yields) use(id, nullptr, &body);
    for (auto i = body.body.rbegin(); i != body.body.rend(); ++i) {
      if (is_loop(*i)) {
        current_loop_ = loop_numbers_.at(&*i);
        decide(i->blocks[0]);
        current_loop_ = loop;
        for (const value_id id : i->operands) use(id, &*i, &*i);
        continue;
      }
      for (const block& inner : i->blocks) decide(inner);
      decide(*i);
    }
  }
  void decide(const instruction& i) {
    const bool is_tile = i.results.size() == 1 && type(i.results[0]).rank != 0;
    if (is_tile && i.blocks.empty()) {
      settle(i);
      if (plan_.home(i.results[0]) == value_home::fused) {
        for (const value_id id : i.operands) use_fused(id, i);
        return;
      }
    }
    for (const value_id id : i.operands) use(id, &i, &i);
  }

  // All users of this value are known now: is it worth a room?
  void settle(const instruction& i) {
    const value_id id = i.results[0];
    const value_facts& facts = facts_[at(id)];
    if (is_reduction(i.op) && is_absorbed(i)) plan_.homes[at(id)] = value_home::absorbed;
    if (plan_.home(id) != value_home::fused || facts.cost == 0) return;
    const bool is_shared = facts.sinks.size() > 1 && facts.cost > cheap_cost;
    if (facts.is_needed_whole || is_shared) plan_.homes[at(id)] = value_home::stored;
  }

  // A sum of sums (greatest of greatest, ...) that nobody else reads is one reduction over several axes.
  bool is_absorbed(const instruction& i) const {
    const value_facts& facts = facts_[at(i.results[0])];
    const dtype element = type(i.results[0]).element;
    if (facts.uses != 1 || facts.sinks.size() != 1 || facts.is_needed_whole) return false;
    if (element == dtype::f16 || element == dtype::bf16) return false;
    const auto* user = reduction_user_.contains(i.results[0]) ? reduction_user_.at(i.results[0]) : nullptr;
    return user != nullptr && user->op == i.op;
  }

  void use(value_id id, const instruction* user, const void* sink) {
    value_facts& facts = facts_[at(id)];
    ++facts.uses;
    facts.sinks.insert(sink);
    if (facts.loop != current_loop_) facts.is_needed_whole = true;
    if (user != nullptr && is_reduction(user->op)) reduction_user_[id] = user;
  }

  void use_fused(value_id id, const instruction& user) {
    value_facts& facts = facts_[at(id)];
    ++facts.uses;
    const value_id result = user.results[0];
    const std::set<const void*>& sinks = facts_[at(result)].sinks;
    facts.sinks.insert(sinks.begin(), sinks.end());
    if (facts.loop != facts_[at(result)].loop) facts.is_needed_whole = true;
    if (type(id).rank == 0) return;
    if (user.op == op::reshape && !reshape_map(type(id), type(result)).keeps_vectors(plan_.lanes)) {
      facts.is_needed_whole = true;
    }
    // Repeated along an outer axis: computed once is better, unless it costs no more than reading it back.
    if (type(id).elements() < type(result).elements() && user.op != op::extract && facts.cost > cheap_cost) {
      if (type(id).extents[at(last_long_axis(type(result)))] != 1) facts.is_needed_whole = true;
    }
  }
  static int last_long_axis(const value_type& shape) {
    for (int axis = shape.rank - 1; axis > 0; --axis) {
      if (shape.extents[at(axis)] > 1) return axis;
    }
    return 0;
  }

  // ---- Matrix products ----
  void lay_out_products(const block& body) {
    for (const instruction& i : body.body) {
      if (i.op == op::mma) lay_out(i);
      for (const block& inner : i.blocks) lay_out_products(inner);
    }
  }
  void lay_out(const instruction& i) {
    const value_type& result = type(i.results[0]);
    const dtype element = product_element(result);
    const auto size = static_cast<std::int64_t>(info(element).size_bytes);
    const auto needs_room = [&](const product_operand& operand) {
      return plan_.home(operand.source) != value_home::stored || type(operand.source).element != element;
    };
    const product_operand left = operand_of_product(plan_, i.operands[0]);
    const product_operand right = operand_of_product(plan_, i.operands[1]);
    product_rooms rooms;
    if (needs_room(left)) rooms.left = room(type(left.source).elements() * size);
    if (right.is_transposed && needs_room(right)) rooms.right_source = room(type(right.source).elements() * size);
    const std::int64_t depth = columns_of(type(i.operands[0]));
    rooms.right_panels = room(products_of(result) * panels_bytes(result, depth, vector_bytes_));
    if (result.element != element) rooms.wide_result = room(result.elements() * size);
    plan_.products[&i] = rooms;
  }

  const program& source_;
  int vector_bytes_;
  kernel_plan plan_;
  std::vector<value_facts> facts_;
  std::map<value_id, const instruction*> reduction_user_;
  std::map<const instruction*, int> loop_numbers_;
  int loops_ = 0, current_loop_ = 0;
};

}  // namespace

std::int64_t take_room(std::int64_t& scratch_bytes, std::int64_t bytes) {
  constexpr std::int64_t alignment = 64, slack_bytes = 256;
  const std::int64_t room = scratch_bytes;
  scratch_bytes += (bytes + slack_bytes + alignment - 1) / alignment * alignment;
  return room;
}

std::int64_t stored_bytes(const value_type& type) { return type.elements() * info(type.element).size_bytes; }

kernel_plan plan_kernel(const program& source, int vector_bytes) { return planner(source, vector_bytes).make(); }

dtype product_element(const value_type& result) {
  return result.element == dtype::f16 || result.element == dtype::bf16 ? dtype::f32 : result.element;
}

product_operand operand_of_product(const kernel_plan& plan, value_id id) {
  const instruction* made_by = plan.definition(id);
  const bool is_fused = made_by != nullptr && made_by->op == op::permute && plan.home(id) == value_home::fused;
  const bool is_swap = is_fused && (made_by->attributes[0] == 0x01 || made_by->attributes[0] == 0x120);
  return is_swap ? product_operand{made_by->operands[0], true} : product_operand{id, false};
}

std::int64_t columns_of(const value_type& matrices) { return matrices.extents[at(matrices.rank - 1)]; }
std::int64_t rows_of(const value_type& matrices) { return matrices.extents[at(matrices.rank - 2)]; }
std::int64_t products_of(const value_type& result) { return result.rank == 2 ? 1 : result.extents[0]; }

int panel_lanes(const value_type& result, int vector_bytes) {
  const int lanes = vector_bytes / info(product_element(result)).size_bytes;
  return columns_of(result) > lanes ? 2 * lanes : lanes;
}

std::int64_t panels_bytes(const value_type& result, std::int64_t depth, int vector_bytes) {
  const std::int64_t lanes = panel_lanes(result, vector_bytes), panels = (columns_of(result) + lanes - 1) / lanes;
  return panels * lanes * depth * info(product_element(result)).size_bytes;
}

}  // namespace tilewright::compiler
