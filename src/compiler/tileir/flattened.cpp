// SPDX-License-Identifier: Apache-2.0
// Tensors whose loaded tiles reach a reshape that merges axes. The assembler (13.4.92) gives such a load the layout
// that the merged axis wants and reads vectors across the ends of rows, misaligned or under the mask of their first
// element: it must not know that wider accesses would be aligned. docs/gpu.md tells how this was found.
#include "compiler/loops.hpp"
#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

tile_shape without_ones(const value_type& type) {
  tile_shape kept;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis) {
    if (type.extents[axis] != 1) kept.push_back(type.extents[axis]);
  }
  return kept;
}

// Whether an axis of the result holds elements of several axes.
bool merges_axes(const value_type& from, const value_type& to) {
  const tile_shape before = without_ones(from);
  std::size_t next = 0;
  std::int64_t left = 1;  // of the axis of the operand that is not used up
  for (const std::int64_t extent : without_ones(to)) {
    if (left == 1) left = before[next++];
    if (left % extent != 0) return true;
    left /= extent;
  }
  return false;
}

class flattened_tensors {
 public:
  explicit flattened_tensors(kernel_state& state)
      : state_(state), made_by_(state.source.values.size()), seen_(state.source.values.size(), false) {
    find_makers(state.source.entry);
  }

  void find(const block& code) {
    for (const instruction& i : code.body) {
      if (i.op == op::reshape && merges_axes(state_.type(i.operands[0]), state_.type(i.results[0]))) {
        follow_back(i.operands[0]);
      }
      for (const block& inner : i.blocks) find(inner);
    }
  }

 private:
  void find_makers(const block& code) {
    for (const instruction& i : code.body) {
      for (std::size_t n = 0; n < i.results.size(); ++n) {
        auto& sources = made_by_[static_cast<std::size_t>(i.results[n])];
        sources.maker = &i;
        for (const block& inner : i.blocks) sources.values.push_back(inner.yields[n]);
      }
      for (std::size_t n = 0; is_loop(i) && n < i.results.size(); ++n) {
        const value_id carried = i.blocks[0].arguments[first_carried(i) + n],
                       initial = i.operands[first_initial(i) + n];
        made_by_[static_cast<std::size_t>(carried)].values = {initial, i.blocks[0].yields[n]};
        made_by_[static_cast<std::size_t>(i.results[n])].values.push_back(initial);
      }
      for (const block& inner : i.blocks) find_makers(inner);
    }
  }

  // Through all that keeps elements where they are or only moves them.
  void follow_back(value_id id) {
    const auto at = static_cast<std::size_t>(id);
    if (seen_[at]) return;
    seen_[at] = true;
    for (const value_id source : made_by_[at].values) follow_back(source);
    const instruction* maker = made_by_[at].maker;
    if (maker == nullptr) return;
    if (ast::info(maker->op).category == ast::op_category::memory) {
      state_.tensors[static_cast<std::size_t>(maker->attributes[0])].is_flattened = true;
      return;
    }
    switch (ast::info(maker->op).category) {
      case ast::op_category::unary:
      case ast::op_category::binary:
      case ast::op_category::comparison:
      case ast::op_category::ternary:
      case ast::op_category::convert:
      case ast::op_category::shape:
        for (const value_id source : maker->operands) follow_back(source);
        break;
      default:
        break;
    }
  }

  struct origins {
    const instruction* maker = nullptr;  // null: an argument of a block
    std::vector<value_id> values{};      // what a branch or a loop gives
  };

  kernel_state& state_;
  std::vector<origins> made_by_;  // by value_id
  std::vector<bool> seen_;
};

}  // namespace

void find_flattened(kernel_state& state) { flattened_tensors(state).find(state.source.entry); }

}  // namespace tilewright::compiler::tileir
