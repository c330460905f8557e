// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/view_masks.hpp"

#include <algorithm>
#include <bit>

#include "compiler/element_access.hpp"
#include "compiler/tile_access.hpp"
#include "compiler/tileir/kernel_state.hpp"
#include "compiler/tileir/memory_code.hpp"
#include "compiler/tileir/schedule_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

const program_parameter& parameter_of(const program& source, const instruction& access) {
  return source.parameters[static_cast<std::size_t>(access.attributes[0])];
}

std::int64_t power_of_two_in(std::int64_t extent) {
  return extent == 0 ? 1 : std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(extent));
}

// Of the steps of all tiles of the tensor that views read or write.
std::int64_t greatest_power(const program& source, const block& code, std::int64_t parameter, std::size_t axis) {
  std::int64_t greatest = 1;
  for (const instruction& i : code.body) {
    for (const block& inner : i.blocks) greatest = std::max(greatest, greatest_power(source, inner, parameter, axis));
    const bool is_view = ast::loads_tile(i.op) || i.op == op::store_tile;
    if (is_view && i.attributes[0] == parameter)
      greatest = std::max(greatest, power_of_two_in(tile_step(source, i, axis)));
  }
  return greatest;
}

gpu_mask mask_of_pointers(const program& source, const instruction& access, std::size_t axis) {
  if (is_masked(source, access, axis)) return gpu_mask::extent;
  const std::int64_t exact = tile_extent(source, access, axis);
  if (rounded_up(exact) != exact) return gpu_mask::rounding;
  const bool is_checked = access.op == op::gather_rows && axis == 1;
  return is_checked && has_check(source, access, residual_check::kind::tile_index) ? gpu_mask::check : gpu_mask::none;
}

// How long the tiles of the view are, rounded up.
std::int64_t viewed_extent(const program& source, const instruction& access, std::size_t axis) {
  const bool is_last = static_cast<int>(axis) + 1 == parameter_of(source, access).rank;
  if (access.op == op::store && is_last) return rounded_up(stored_columns(source, access.attributes[0]));
  return rounded_up(tile_extent(source, access, axis));
}

gpu_mask mask_of_view(const program& source, bool is_flattened, const instruction& access, std::size_t axis) {
  const std::int64_t exact = tile_extent(source, access, axis);
  const bool is_rounded = rounded_up(exact) != exact;
  if (is_rounded && !ast::loads_tile(access.op)) return gpu_mask::rounding;
  if (ends_inside(source, access, axis)) {
    const bool is_told = !is_flattened || parameter_of(source, access).fixed_extents[axis] > 0;
    return is_told || exact == 1 ? gpu_mask::none : gpu_mask::untold;
  }
  if (may_overhang(source, access, axis)) return gpu_mask::extent;
  return is_rounded ? gpu_mask::rounding : gpu_mask::steps;
}

}  // namespace

bool ends_inside(const program& source, const instruction& access, std::size_t axis) {
  const std::int64_t viewed = viewed_extent(source, access, axis);
  const index_t fixed = parameter_of(source, access).fixed_extents[axis];
  const std::int64_t divisor =
      fixed > 0 ? fixed : extent_divisor(source, static_cast<std::size_t>(access.attributes[0]), axis);
  return divisor % viewed == 0 && tile_step(source, access, axis) % viewed == 0;
}

std::int64_t extent_divisor(const program& source, std::size_t parameter, std::size_t axis) {
  const program_parameter& form = source.parameters[parameter];
  const std::int64_t known = form.facts.in_sixteens[axis] ? 16 : 1;
  const auto position = static_cast<std::int64_t>(parameter);
  if (!holds_whole_tiles(source, position, axis)) return known;
  return std::max({known, power_of_two_in(form.piece[axis]), greatest_power(source, source.entry, position, axis)});
}

gpu_mask mask_on(const program& source, const std::vector<bool>& is_flattened, const instruction& access,
                 std::size_t axis) {
  if (ast::chooses_elements(access.op)) {
    const std::int64_t exact = lanes_of(source, access).extents[axis];
    return rounded_up(exact) != exact ? gpu_mask::rounding : gpu_mask::none;
  }
  const bool is_atomic = access.op == op::combine && !combines_in_turn(source, access.attributes[0]);
  if (is_atomic || access.op == op::gather_rows || access.op == op::store_rows) {
    return mask_of_pointers(source, access, axis);
  }
  return mask_of_view(source, is_flattened[static_cast<std::size_t>(access.attributes[0])], access, axis);
}

}  // namespace tilewright::compiler::tileir
