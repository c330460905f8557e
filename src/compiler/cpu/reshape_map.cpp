// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/reshape_map.hpp"

#include <numeric>

namespace tilewright::compiler {
namespace {

// The next axis inwards-to-outwards that has more than one element, or -1.
int next_long_axis(const value_type& shape, int axis) {
  while (axis >= 0 && shape.extents[at(axis)] == 1) --axis;
  return axis;
}

}  // namespace

reshape_map::reshape_map(const value_type& from, const value_type& to) : from_(from), to_(to) {
  int f = next_long_axis(from, from.rank - 1), t = next_long_axis(to, to.rank - 1);
  while (f >= 0 && t >= 0) {
    group next;
    index_t from_size = 1, to_size = 1;
    do {
      if (from_size <= to_size && f >= 0) {
        next.from.insert(next.from.begin(), f);
        from_size *= from.extents[at(f)];
        f = next_long_axis(from, f - 1);
      } else {
        next.to.insert(next.to.begin(), t);
        to_size *= to.extents[at(t)];
        t = next_long_axis(to, t - 1);
      }
    } while (from_size != to_size);
    groups_.push_back(next);
  }
}

bool reshape_map::keeps_vectors(int lanes) const {
  if (groups_.empty()) return true;
  const group& innermost = groups_.front();
  if (innermost.from.size() == 1) return true;
  return innermost.to.size() == 1 && from_.extents[at(innermost.from.back())] % lanes == 0;
}

// Position within the group as one number.
coordinate reshape_map::joined(ir::module_builder& code, const group& g, const position& place) const {
  coordinate all = place.axes[at(g.to.back())];
  index_t step = to_.extents[at(g.to.back())];
  for (std::size_t n = g.to.size() - 1; n-- > 0;) {
    const coordinate& outer = place.axes[at(g.to[n])];
    const ir::value scale = code.integer({ir::scalar_type::i64, 1}, step);
    all.base = code.add_index(all.base, code.multiply_index(outer.base, scale));
    all.lane_step += outer.lane_step * step;
    all.divisor = std::gcd(all.divisor, outer.divisor * step);
    step *= to_.extents[at(g.to[n])];
  }
  return all;
}

reshape_map::source_place reshape_map::source_of(ir::module_builder& code, const position& place) const {
  source_place result;
  result.place.lanes = place.lanes;
  const auto number = [&](index_t n) { return code.integer({ir::scalar_type::i64, 1}, n); };
  for (int axis = 0; axis < from_.rank; ++axis) result.place.axes[at(axis)] = {number(0), 0, 0};
  for (const group& g : groups_) {
    coordinate rest = joined(code, g, place);
    for (std::size_t n = g.from.size(); n-- > 1;) {
      const index_t extent = from_.extents[at(g.from[n])];
      coordinate& here = result.place.axes[at(g.from[n])];
      // A vector that starts at a multiple of its lanes ends before the axis does.
      const bool stays = rest.lane_step == 1 && extent % place.lanes == 0 && rest.divisor % place.lanes == 0;
      if (rest.lane_step != 0 && !stays) result.is_vector = false;
      here = {code.unsigned_remainder(rest.base, number(extent)), rest.lane_step, std::gcd(rest.divisor, extent)};
      rest = {code.unsigned_divide(rest.base, number(extent)), 0, 1};
    }
    result.place.axes[at(g.from[0])] = rest;
  }
  return result;
}

}  // namespace tilewright::compiler
