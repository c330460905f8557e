// SPDX-License-Identifier: Apache-2.0
// Values that their only user writes: a product that becomes part of a sum (fast math), and a conversion that a store
// in parts makes part by part.
#include "compiler/rounded_semantics.hpp"
#include "compiler/tileir/kernel_state.hpp"
#include "compiler/tileir/memory_code.hpp"
#include "compiler/tileir/schedule_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

bool is_rounded(const instruction& i) { return rounding_of(i) != ast::rounding::nearest_even; }
bool is_sum(const instruction& i) { return (i.op == op::add || i.op == op::subtract) && !is_rounded(i); }

// Which operand of a sum is the deferred product; the left one before the right one.
class deferral {
 public:
  explicit deferral(kernel_state& state)
      : state_(state), uses_(state.source.values.size(), 0), made_by_(state.source.values.size(), nullptr) {
    count(state.source.entry);
  }

  void find(const block& code) {
    for (const instruction& i : code.body) {
      if (!i.results.empty()) made_by_[static_cast<std::size_t>(i.results[0])] = &i;
      if (is_sum(i) && state_.source.schedule.fast_math) find_product(i);
      if (i.op == op::store) find_conversion(i);
      for (const block& inner : i.blocks) {
        // Only what stands in the same block: a product made before a loop must not be made again inside.
        std::vector<const instruction*> kept(made_by_.size(), nullptr);
        kept.swap(made_by_);
        find(inner);
        made_by_ = std::move(kept);
      }
    }
  }

 private:
  void count(const block& code) {
    for (const instruction& i : code.body) {
      for (const value_id id : i.operands) ++uses_[static_cast<std::size_t>(id)];
      for (const block& inner : i.blocks) count(inner);
    }
    for (const value_id id : code.yields) ++uses_[static_cast<std::size_t>(id)];
  }

  const instruction* only_used_here(value_id id, op which) const {
    const auto at = static_cast<std::size_t>(id);
    return uses_[at] == 1 && made_by_[at] != nullptr && made_by_[at]->op == which ? made_by_[at] : nullptr;
  }

  void find_product(const instruction& sum) {
    const value_type& type = state_.type(sum.results[0]);
    if (type.element != dtype::f32) return;
    for (const value_id id : sum.operands) {
      const instruction* product = only_used_here(id, op::multiply);
      if (product == nullptr || is_rounded(*product) || state_.type(id) != type) continue;
      state_.deferred[static_cast<std::size_t>(id)] = product;
      return;
    }
  }

  void find_conversion(const instruction& store) {
    const value_id id = store.operands[0];
    const instruction* conversion = only_used_here(id, op::cast);
    if (conversion == nullptr || state_.type(id).rank == 0) return;
    const program_parameter& form = state_.source.parameters[static_cast<std::size_t>(store.attributes[0])];
    const dtype from = state_.type(conversion->operands[0]).element, to = state_.type(id).element;
    const bool is_split = stored_columns(state_.source, store.attributes[0]) < piece_of(form).back();
    const bool is_one_step = !is_fp8(from) && (!is_fp8(to) || from == dtype::f32);
    const bool is_of_memory = !is_of_single(from) && !is_of_single(to) && !is_half_byte(from);  // or another there
    if (is_split && is_one_step && is_of_memory && is_floating(from) && is_floating(to))
      state_.deferred[static_cast<std::size_t>(id)] = conversion;
  }

  kernel_state& state_;
  std::vector<int> uses_;
  std::vector<const instruction*> made_by_;
};

// The value with its sign turned, in its own shape: the smallest that it comes in.
code_value negated(kernel_state& state, value_id id, const tile_shape& shape) {
  const code_value x = state.get(id);
  return state.code.broadcast(state.code.like_op(opcode::negf, x, {x.number}), shape);
}

std::size_t elements(const kernel_state& state, value_id id) {
  return static_cast<std::size_t>(state.type(id).elements());
}

}  // namespace

void find_deferred(kernel_state& state) { deferral(state).find(state.source.entry); }

// a*b + c, c + a*b; a*b - c as a*b + (-c); c - a*b as (-a)*b + c.
bool emit_contracted(kernel_state& state, const instruction& i) {
  if (!is_sum(i)) return false;
  const bool is_left = state.deferred_at(i.operands[0]) != nullptr;
  const instruction* product = state.deferred_at(i.operands[is_left ? 0 : 1]);
  if (product == nullptr) return false;
  const value_id other = i.operands[is_left ? 1 : 0];
  const tile_shape shape = state.shape(i.results[0]);
  value_id first = product->operands[0], second = product->operands[1];
  if (elements(state, second) < elements(state, first)) std::swap(first, second);
  const bool turns_product = i.op == op::subtract && !is_left, turns_other = i.op == op::subtract && is_left;
  const type_tag f32 = type_tag::f32;
  const code_value a = turns_product ? negated(state, first, shape) : state.get(first, f32, shape);
  const code_value b = state.get(second, f32, shape);
  const code_value c = turns_other ? negated(state, other, shape) : state.get(other, f32, shape);
  const code_value sum = state.code.like_op(opcode::fma, a, {a.number, b.number, c.number}, {nearest_even});
  state.set(i.results[0], sum);
  return true;
}

}  // namespace tilewright::compiler::tileir
