// SPDX-License-Identifier: Apache-2.0
// Loops and branches. A carried tile has one room for all iterations; where it can be, its next value is computed
// straight into that room, so that a matrix product accumulates in place.
#include <algorithm>
#include <set>

#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/structure.hpp"
#include "compiler/loops.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using ast::op_category;
using values = ir::module_builder::values;

bool is_position_wise(op which) {
  switch (ast::info(which).category) {
    case op_category::unary:
    case op_category::binary:
    case op_category::comparison:
    case op_category::ternary:
    case op_category::convert:
      return true;
    default:
      return false;
  }
}

// Answers whether the next value of a carried tile may be computed in the room of the present one.
class room_sharing {
 public:
  room_sharing(const kernel_state& state, const instruction& loop, std::size_t slot)
      : state_(state),
        loop_(loop),
        body_(loop.blocks[0]),
        slot_(slot),
        present_(body_.arguments[first_carried(loop) + slot]) {
    mark(body_);
  }

  bool is_safe() const {
    const value_id next = body_.yields[slot_];
    if (state_.home(next) != value_home::stored || next == present_) return false;
    if (std::count(body_.yields.begin(), body_.yields.end(), next) != 1) return false;
    const auto defined_by = std::find_if(body_.body.begin(), body_.body.end(), [&](const instruction& i) {
      return i.results.size() == 1 && i.results[0] == next;
    });
    if (defined_by == body_.body.end() || !defined_by->blocks.empty() || !reads_in_place(*defined_by)) return false;
    // What the condition refuses is the loop's result, so it is not overwritten before the condition was asked.
    const bool is_in_condition =
        loop_.op == op::while_begin && static_cast<std::size_t>(defined_by - body_.body.begin()) < condition_of(loop_);
    if (is_in_condition) return false;
    for (auto later = defined_by + 1; later != body_.body.end(); ++later) {
      if (reads(*later)) return false;
    }
    return std::none_of(body_.yields.begin(), body_.yields.end(), [&](value_id id) { return is_reader(id); });
  }

 private:
  // Readers: the tile itself and everything fused that is computed from it, whenever it is used.
  void mark(const block& part) {
    readers_.insert(present_);
    for (const instruction& i : part.body) {
      for (const block& inner : i.blocks) mark(inner);
      const bool is_lazy = i.results.size() == 1 && (state_.home(i.results[0]) == value_home::fused ||
                                                     state_.home(i.results[0]) == value_home::absorbed);
      if (is_lazy && std::any_of(i.operands.begin(), i.operands.end(), [&](value_id id) { return is_reader(id); })) {
        readers_.insert(i.results[0]);
      }
    }
  }
  bool is_reader(value_id id) const { return readers_.contains(id); }
  bool reads(const instruction& i) const {
    const auto any = [&](const std::vector<value_id>& ids) {
      return std::any_of(ids.begin(), ids.end(), [&](value_id id) { return is_reader(id); });
    };
    if (any(i.operands)) return true;
    return std::any_of(i.blocks.begin(), i.blocks.end(), [&](const block& inner) {
      return any(inner.yields) ||
             std::any_of(inner.body.begin(), inner.body.end(), [&](const instruction& n) { return reads(n); });
    });
  }
  // Each element is read only where it is about to be written.
  bool reads_in_place(const instruction& i) const {
    if (i.op == op::mma) {
      return !is_reader(i.operands[0]) && !is_reader(i.operands[1]) && is_in_place(i.operands[2]);
    }
    if (!is_position_wise(i.op)) return !reads(i);
    return std::all_of(i.operands.begin(), i.operands.end(), [&](value_id id) { return is_in_place(id); });
  }
  bool is_in_place(value_id id) const {
    if (!is_reader(id) || id == present_) return true;
    const instruction& i = *state_.plan.definition(id);
    if (!is_position_wise(i.op) || !(state_.type(id).extents == state_.type(present_).extents)) return false;
    return std::all_of(i.operands.begin(), i.operands.end(), [&](value_id operand) { return is_in_place(operand); });
  }

  const kernel_state& state_;
  const instruction& loop_;
  const block& body_;
  std::size_t slot_;
  value_id present_;
  std::set<value_id> readers_;
};

class carried_loop {
 public:
  carried_loop(kernel_state& state, const instruction& i) : state_(state), i_(i), body_(i.blocks[0]) {}

  void emit() {
    values initial;
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      if (is_tile(slot)) {
        enter(slot);
      } else {
        initial.push_back(state_.scalars[at(i_.operands[first_initial(i_) + slot])]);
      }
    }
    assign(i_.results, i_.op == op::for_begin ? over_range(initial) : while_it_holds(initial));
  }

 private:
  std::size_t slots() const { return i_.results.size(); }
  value_id present(std::size_t slot) const { return body_.arguments[first_carried(i_) + slot]; }
  bool is_tile(std::size_t slot) const { return state_.type(i_.results[slot]).rank != 0; }
  // Iterations are counted: with a step over 1 the variable itself could pass the greatest number.
  values over_range(const values& initial) {
    ir::module_builder& code = state_.code;
    const auto bound = [&](std::size_t n) { return state_.scalars[at(i_.operands[n])]; };
    const ir::value from = bound(0), to = bound(1), step = bound(2);
    std::int64_t known_step = 0;
    if (code.constant_value(step, known_step) && known_step == 1) {
      return code.loop(from, to, 1, initial, [&](ir::value n, const values& carried) { return iteration(n, carried); });
    }
    const ir::value last = code.subtract(code.subtract(to, from), state_.number(1));
    const ir::value count = code.add(code.unsigned_divide(last, step), state_.number(1));
    const ir::value is_any = code.compare_integers(ir::compare::less, from, to);
    return code.loop(
        state_.number(0), code.select(is_any, count, state_.number(0)), 1, initial,
        [&](ir::value n, const values& carried) { return iteration(code.add(from, code.multiply(n, step)), carried); });
  }
  values while_it_holds(const values& initial) {
    const std::span<const instruction> all(body_.body);
    const std::size_t asked = condition_of(i_);
    return state_.code.loop_while(
        initial,
        [&](const values& carried) {
          const remembering_scope scope(state_);
          assign(body_.arguments, carried);
          emit_instructions(state_, all.first(asked));
          return state_.scalars[at(all[asked].operands[0])];
        },
        [&](const values&) {
          const remembering_scope scope(state_);
          emit_instructions(state_, all.subspan(asked + 1));
          return next_values();
        });
  }
  std::int64_t& offset(value_id id) { return state_.offsets[at(id)]; }

  void enter(std::size_t slot) {
    const std::int64_t room = offset(i_.results[slot]);
    offset(present(slot)) = room;
    store_tile(state_, i_.operands[first_initial(i_) + slot], room);
    if (room_sharing(state_, i_, slot).is_safe()) offset(body_.yields[slot]) = room;
  }

  void assign(std::span<const value_id> ids, const values& scalars) {
    std::size_t next = 0;
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      if (!is_tile(slot)) state_.scalars[at(ids[slot])] = scalars[next++];
    }
  }

  values iteration(ir::value n, const values& carried) {
    const remembering_scope scope(state_);
    state_.scalars[at(body_.arguments[0])] = n;
    assign(std::span(body_.arguments).subspan(1), carried);
    emit_instructions(state_, body_.body);
    return next_values();
  }

  // The end of an iteration.
  values next_values() {
    leave();
    values next;
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      if (!is_tile(slot)) next.push_back(state_.scalars[at(body_.yields[slot])]);
    }
    return next;
  }

  // The next values go to the rooms. What is still to be computed, or is another carried tile, goes through a room
  // of its own first: it may read what the copies overwrite.
  void leave() {
    std::vector<std::pair<std::int64_t, std::size_t>> moves;
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      if (!is_tile(slot)) continue;
      const value_id next = body_.yields[slot];
      if (next == present(slot)) continue;
      const bool is_settled = state_.home(next) == value_home::stored && state_.plan.definition(next) != nullptr;
      if (is_settled) {
        if (offset(next) != offset(i_.results[slot])) moves.emplace_back(offset(next), slot);
        continue;
      }
      const std::int64_t room = take_room(state_.scratch_bytes, stored_bytes(state_.type(next)));
      store_tile(state_, next, room);
      moves.emplace_back(room, slot);
    }
    for (const auto& [from, slot] : moves) {
      const value_type& type = state_.type(i_.results[slot]);
      state_.code.copy_bytes(state_.code.offset(state_.code.scratch(), offset(i_.results[slot])),
                             state_.code.offset(state_.code.scratch(), from), stored_bytes(type), 64);
    }
  }

  kernel_state& state_;
  const instruction& i_;
  const block& body_;
};

}  // namespace

void emit_loop(kernel_state& state, const instruction& i) { carried_loop(state, i).emit(); }

void emit_branch(kernel_state& state, const instruction& i) {
  const auto emit_side = [&](const block& side) {
    const remembering_scope scope(state);
    emit_instructions(state, side.body);
    values scalars;
    for (std::size_t n = 0; n < i.results.size(); ++n) {
      if (state.type(i.results[n]).rank == 0) {
        scalars.push_back(state.scalars[at(side.yields[n])]);
      } else {
        store_tile(state, side.yields[n], state.offsets[at(i.results[n])]);
      }
    }
    return scalars;
  };
  const values joined = state.code.branch(
      state.scalars[at(i.operands[0])], [&] { return emit_side(i.blocks[0]); }, [&] { return emit_side(i.blocks[1]); });
  std::size_t next = 0;
  for (const value_id id : i.results) {
    if (state.type(id).rank == 0) state.scalars[at(id)] = joined[next++];
  }
}

}  // namespace tilewright::compiler
