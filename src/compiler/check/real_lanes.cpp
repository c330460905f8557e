// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/real_lanes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "compiler/check/new_code.hpp"
#include "compiler/element_access.hpp"
#include "compiler/loops.hpp"
#include "compiler/tile_access.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

// The code that tells which lanes of values are real: tiles of bool, as long as the value on the axes on which it may
// have others, else 1. No value where all are.
class mask_code {
 public:
  mask_code(program& source, const index_forms& forms, const std::vector<std::uint8_t>& axes, source_location location)
      : source_(source), forms_(forms), axes_(axes), code_(source, location) {}

  value_id of(value_id value) {
    if (axes_[static_cast<std::size_t>(value)] == 0) return no_value;
    const auto found = made_.find(value);
    return found != made_.end() ? found->second : made_[value] = new_mask(value);
  }

  value_id of_all(const std::vector<value_id>& values) {
    value_id mask = no_value;
    for (const value_id value : values) mask = both(mask, of(value));
    return mask;
  }

  value_id both(value_id a, value_id b) {
    if (a == no_value || b == no_value) return a == no_value ? b : a;
    return code_.logical(op::bit_and, {a, b});
  }

  // The operand of what is checked, with another value in lanes that are not real and would fail.
  value_id excused(const instruction& at, std::size_t operand) {
    const value_id value = at.operands[operand], real = of(value);
    if (real == no_value) return value;
    const value_type type = code_.type(value);
    const auto number = [&](std::int64_t n) { return code_.append(op::constant, {.element = type.element}, {}, {n}); };
    if (at.op == op::assertion) return code_.append(op::select, type, {real, value, number(1)});
    const bool is_row = at.op == op::gather_rows;
    const value_id passes =
        is_row ? is_inside(value, at.attributes[0], 0) : code_.logical(op::not_equal, {value, number(0)});
    const value_id kept = code_.logical(op::bit_or, {real, passes});
    return code_.append(op::select, type, {kept, value, number(is_row ? 0 : 1)});
  }

  // The mask of elements by their indices: those that are not real and outside choose none. No value where there is
  // none, and all are real as far as can be told.
  value_id chosen(const instruction& access, const std::vector<value_id>& told) {
    const value_id real = of_all(told);
    if (real == no_value) return mask_of(access);
    const std::size_t first = first_index(access);
    value_id kept = no_value;
    for (std::size_t axis = 0; axis < rank_of(access); ++axis) {
      const value_id inside = is_inside(access.operands[first + axis], access.attributes[0], static_cast<int>(axis));
      kept = both(kept, inside);
    }
    return both(mask_of(access), code_.logical(op::bit_or, {kept, real}));
  }

  std::vector<instruction> take() { return code_.take(); }

 private:
  std::size_t rank_of(const instruction& access) const {
    return static_cast<std::size_t>(source_.parameters[static_cast<std::size_t>(access.attributes[0])].rank);
  }

  value_id is_inside(value_id index, std::int64_t parameter, int axis) {
    const value_id got = code_.as_index(index);
    return code_.is_within(got, code_.index(op::extent, {}, {parameter, axis}));
  }

  value_id new_mask(value_id value) {
    const instruction& made = *forms_.maker(value);
    switch (made.op) {
      case op::load:
      case op::load_window:
      case op::load_piece:
        return of_load(made);
      case op::gather_rows:
        return both(of(made.operands[0]), of_axis(made, 1, made.operands[1]));
      case op::permute:
      case op::reshape:
        return code_.append(made.op, mask_type(value), {of(made.operands[0])}, made.attributes);
      default:  // a place of a result comes from the same place of all operands, or from whole lines of them
        return of_all(made.operands);
    }
  }

  value_id of_load(const instruction& load) {
    value_id mask = no_value;
    for (int axis = 0; axis < static_cast<int>(rank_of(load)); ++axis) {
      const value_id tile = ast::loads_tile(load.op) ? load.operands[static_cast<std::size_t>(axis)] : no_value;
      mask = both(mask, of_axis(load, axis, tile));
    }
    return mask;
  }

  // Of tile `tile` on the axis, or of this block's.
  value_id of_axis(const instruction& load, int axis, value_id tile) {
    if (!is_ragged(load.results[0], axis)) return no_value;
    value_type line = mask_type(load.results[0]);
    line.element = dtype::index;
    for (int other = 0; other < line.rank; ++other) {
      if (other != axis) line.extents[static_cast<std::size_t>(other)] = 1;
    }
    if (tile == no_value) tile = code_.index(op::block_id, {}, {axis});
    const value_id step = code_.number(tile_step(source_, load, static_cast<std::size_t>(axis)));
    const value_id first = code_.index(op::multiply, {tile, step});
    const value_id lane = code_.index(op::add, {code_.append(op::iota, line, {}, {axis}), first});
    return code_.logical(op::less, {lane, code_.index(op::extent, {}, {load.attributes[0], axis})});
  }

  value_type mask_type(value_id value) const {
    value_type mask = code_.type(value);
    mask.element = dtype::boolean;
    for (int axis = 0; axis < mask.rank; ++axis) {
      if (!is_ragged(value, axis)) mask.extents[static_cast<std::size_t>(axis)] = 1;
    }
    return mask;
  }

  bool is_ragged(value_id value, int axis) const { return (axes_[static_cast<std::size_t>(value)] >> axis & 1) != 0; }

  const program& source_;
  const index_forms& forms_;
  const std::vector<std::uint8_t>& axes_;
  new_code code_;
  std::map<value_id, value_id> made_;
};

// Whether a lane of the result is made of a lane outside wherever one of its operands has one there. Where it may be
// the program's own choice instead, by a condition, it counts.
bool spoils_lanes(const instruction& made) {
  if (is_loop(made)) return false;
  switch (made.op) {
    case op::if_begin:
    case op::select:
    case op::bit_or:
    case op::cat:
    case op::gather:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool real_lanes::has_others(value_id value) {
  if (lanes_.axes.empty()) {
    lanes_ = find_overhanging_lanes(source_);
    known_.resize(lanes_.axes.size());
  }
  return lanes_.axes[static_cast<std::size_t>(value)] != 0;
}

bool real_lanes::can_tell(value_id value) {
  if (!has_others(value)) return true;
  if (lanes_.is_mixed[static_cast<std::size_t>(value)]) return false;
  std::optional<bool>& known = known_[static_cast<std::size_t>(value)];
  if (known) return *known;
  const instruction* made = forms_.maker(value);
  if (made == nullptr || !spoils_lanes(*made)) return *(known = false);
  const auto& from = made->operands;
  return *(known = std::all_of(from.begin(), from.end(), [&](value_id operand) { return can_tell(operand); }));
}

void real_lanes::excuse(instruction& at, std::size_t operand) {
  if (has_others(at.operands[operand])) requests_.push_back({&at, operand});
}

void real_lanes::mask(instruction& access) {
  const auto& operands = access.operands;
  const bool may_have = std::any_of(operands.begin(), operands.end(), [&](value_id id) { return has_others(id); });
  const bool is_asked =
      std::any_of(requests_.begin(), requests_.end(), [&](auto& known) { return known.at == &access; });
  if (may_have && !is_asked) requests_.push_back({&access});
}

// All code is made of the program as it was.
void real_lanes::apply() {
  code_before before;
  std::vector<value_id> given;
  for (const request& each : requests_) {
    const instruction& at = *each.at;
    mask_code code(source_, forms_, lanes_.axes, at.location);
    if (each.operand) {
      given.push_back(code.excused(at, *each.operand));
    } else {
      std::vector<value_id> told = at.operands;
      std::erase_if(told, [&](value_id id) { return !can_tell(id); });  // nor is it checked
      given.push_back(code.chosen(at, told));
    }
    std::vector<instruction> made = code.take();
    std::move(made.begin(), made.end(), std::back_inserter(before[&at]));
  }
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (given[i] == no_value) continue;
    instruction& at = *requests_[i].at;
    if (!requests_[i].operand && mask_of(at) == no_value) {
      at.attributes[1] = 1;
      at.operands.push_back(no_value);
    }
    at.operands[requests_[i].operand.value_or(at.operands.size() - 1)] = given[i];
  }
  if (!before.empty()) insert(source_.entry, before);
}

}  // namespace tilewright::compiler
