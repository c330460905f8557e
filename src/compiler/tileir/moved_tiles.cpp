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

// Follows what is carried through the operations that keep or move elements.
class round_values {
 public:
  explicit round_values(const instruction& loop) : loop_(loop) {
    for (const value_id carried : carried_by(loop)) notes_[carried] = is_carried;
    read(loop.blocks[0]);
  }

  bool is_moved(std::size_t n) const {
    const value_id given = loop_.blocks[0].yields[n];
    const std::span<const value_id> carried = carried_by(loop_);
    if (std::find(carried.begin(), carried.end(), given) != carried.end()) return given != carried[n];
    return (of(given) & is_permuted) != 0;
  }

 private:
  static constexpr unsigned is_carried = 1, is_permuted = 2;

  static std::span<const value_id> carried_by(const instruction& loop) {
    return std::span(loop.blocks[0].arguments).subspan(first_carried(loop));
  }

  unsigned of(value_id id) const {
    const auto found = notes_.find(id);
    return found == notes_.end() ? 0 : found->second;
  }

  // Whether a note is new.
  bool add(value_id id, unsigned note) {
    if ((of(id) | note) == of(id)) return false;
    notes_[id] |= note;
    return true;
  }

  void read(const block& code) {
    for (const instruction& i : code.body) read(i);
  }

  void read(const instruction& i) {
    switch (ast::info(i.op).category) {
      case ast::op_category::unary:
      case ast::op_category::binary:
      case ast::op_category::comparison:
      case ast::op_category::ternary:
      case ast::op_category::convert:
      case ast::op_category::shape:
        return read_elements(i);
      case ast::op_category::structure:
        if (is_loop(i)) return read_loop(i);
        for (const block& inner : i.blocks) read(inner);
        for (std::size_t n = 0; i.op == op::if_begin && n < i.results.size(); ++n) {
          add(i.results[n], of(i.blocks[0].yields[n]) | of(i.blocks[1].yields[n]));
        }
        return;
      default:
        return;
    }
  }

  void read_elements(const instruction& i) {
    unsigned notes = 0;
    for (const value_id operand : i.operands) notes |= of(operand);
    if (i.op == op::permute && (notes & is_carried) != 0) notes |= is_permuted;
    add(i.results[0], notes);
  }

  // Until a round adds nothing: each note is added once.
  void read_loop(const instruction& i) {
    const std::span<const value_id> carried = carried_by(i);
    for (std::size_t n = 0; n < carried.size(); ++n) add(carried[n], of(i.operands[first_initial(i) + n]));
    bool is_new = true;
    while (is_new) {
      read(i.blocks[0]);
      is_new = false;
      for (std::size_t n = 0; n < carried.size(); ++n) is_new = add(carried[n], of(i.blocks[0].yields[n])) || is_new;
    }
    for (std::size_t n = 0; n < carried.size(); ++n) add(i.results[n], of(carried[n]));
  }

  const instruction& loop_;
  std::unordered_map<value_id, unsigned> notes_;
};

}  // namespace

std::vector<bool> moved_tiles(const instruction& loop) {
  const round_values values(loop);
  std::vector<bool> moved;
  for (std::size_t n = 0; n < loop.results.size(); ++n) moved.push_back(values.is_moved(n));
  return moved;
}

}  // namespace tilewright::compiler::tileir
