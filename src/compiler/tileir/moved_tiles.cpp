// SPDX-License-Identifier: Apache-2.0
// What a round of a loop gives as a carried tile whose elements change places: another carried tile as it is, or one
// that a permute made of what is carried. docs/gpu.md tells what the assembler makes of them.
#include "compiler/tileir/moved_tiles.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "compiler/loops.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

class round_values {
 public:
  explicit round_values(const instruction& loop) : loop_(loop) { find_makers(loop.blocks[0]); }

  bool is_moved(std::size_t n) const {
    const value_id given = loop_.blocks[0].yields[n];
    if (is_carried(given)) return given != carried()[n];
    return reaches(given, [this](value_id id) { return is_permuted_carried(id); });
  }

 private:
  std::span<const value_id> carried() const {
    return std::span(loop_.blocks[0].arguments).subspan(first_carried(loop_));
  }
  bool is_carried(value_id id) const { return std::find(carried().begin(), carried().end(), id) != carried().end(); }

  void find_makers(const block& code) {
    for (const instruction& i : code.body) {
      for (std::size_t n = 0; n < i.results.size(); ++n) makers_[i.results[n]] = {&i, n};
      for (const block& inner : i.blocks) find_makers(inner);
    }
  }

  bool is_permuted_carried(value_id id) const {
    const auto found = makers_.find(id);
    if (found == makers_.end() || found->second.first->op != op::permute) return false;
    return reaches(found->second.first->operands[0], [this](value_id from) { return is_carried(from); });
  }

  // Whether `is_found` holds of the value, or of one that it was made of by operations that keep or move elements.
  template <class Predicate>
  bool reaches(value_id id, const Predicate& is_found) const {
    if (is_found(id)) return true;
    const auto found = makers_.find(id);
    if (found == makers_.end()) return false;
    const auto& [maker, n] = found->second;
    const auto is_reached = [&](value_id from) { return reaches(from, is_found); };
    switch (ast::info(maker->op).category) {
      case ast::op_category::unary:
      case ast::op_category::binary:
      case ast::op_category::comparison:
      case ast::op_category::ternary:
      case ast::op_category::convert:
      case ast::op_category::shape:
        return std::any_of(maker->operands.begin(), maker->operands.end(), is_reached);
      case ast::op_category::structure:
        return (is_loop(*maker) && is_reached(maker->operands[first_initial(*maker) + n])) ||
               std::any_of(maker->blocks.begin(), maker->blocks.end(),
                           [&](const block& inner) { return n < inner.yields.size() && is_reached(inner.yields[n]); });
      default:
        return false;
    }
  }

  const instruction& loop_;
  std::unordered_map<value_id, std::pair<const instruction*, std::size_t>> makers_;
};

}  // namespace

std::vector<bool> moved_tiles(const instruction& loop) {
  const round_values values(loop);
  std::vector<bool> moved;
  for (std::size_t n = 0; n < loop.results.size(); ++n) moved.push_back(values.is_moved(n));
  return moved;
}

}  // namespace tilewright::compiler::tileir
