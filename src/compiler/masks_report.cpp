// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compiler/masks_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <set>

#include "compiler/element_access.hpp"
#include "compiler/tile_access.hpp"
#include "compiler/tileir/view_masks.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using tileir::gpu_mask;

struct cause {
  std::string reason, fix;
};

std::string extent_text(const instruction& access, std::size_t axis) {
  return fmt::format("extent({}, {})", access.attributes[0], axis);
}

class report_maker {
 public:
  explicit report_maker(const program& source) : source_(source), is_flattened_(tileir::find_flattened(source)) {}

  masks_report make() {
    visit(source_.entry);
    return std::move(report_);
  }

 private:
  void visit(const block& code) {
    for (const instruction& next : code.body) {
      for (const block& inner : next.blocks) visit(inner);
      if (ast::info(next.op).category != ast::op_category::memory) continue;
      if (ast::chooses_elements(next.op)) add_chosen(next);
      const int rank = ast::chooses_elements(next.op) ? lanes_of(source_, next).rank : parameter_of(next).rank;
      for (int axis = 0; axis < rank; ++axis) add_axis(next, static_cast<std::size_t>(axis));
      ++site_;
    }
  }

  const program_parameter& parameter_of(const instruction& access) const {
    return source_.parameters[static_cast<std::size_t>(access.attributes[0])];
  }

  void add(const instruction& access, int axis, bool on_host, bool on_gpu, cause why) {
    const bool is_padded = ast::loads_tile(access.op) && access.attributes[1] != 0;
    report_.entries.push_back({site_, access.location, access.op, static_cast<int>(access.attributes[0]), axis, on_host,
                               on_gpu, is_padded, std::move(why.reason), std::move(why.fix)});
  }

  // What tells lanes apart on every device: a condition, and indices that the kernel checks.
  void add_chosen(const instruction& access) {
    if (mask_of(access) != no_value) {
      add(access, mask_entry::all_lanes, true, true, {"where(...) says which lanes take part", {}});
    }
    for (const std::int32_t check : access.residual_checks) {
      const residual_check& rule = source_.residual_checks[static_cast<std::size_t>(check)];
      add(access, mask_entry::all_lanes, true, true,
          {fmt::format("the kernel checks the index on axis {}: {}", rule.axis, rule.reason), rule.fix});
    }
  }

  void add_axis(const instruction& access, std::size_t axis) {
    const bool on_host = !ast::chooses_elements(access.op) && is_masked(source_, access, axis);
    const gpu_mask of_gpu = tileir::mask_on(source_, is_flattened_, access, axis);
    if (!on_host && of_gpu == gpu_mask::none) return;
    add(access, static_cast<int>(axis), on_host, of_gpu != gpu_mask::none,
        on_host ? cause_everywhere(access, axis) : cause_on_gpu(of_gpu, access, axis));
  }

  // ---- Why
  cause cause_everywhere(const instruction& access, std::size_t axis) const {
    if (access.op == op::gather_rows && axis == 0) {
      return cause_of_check(access, residual_check::kind::row_index, "the rows");
    }
    const std::int64_t step = tile_step(source_, access, axis), extent = tile_extent(source_, access, axis);
    if (access.op == op::store_rows && axis == 0) {
      return {fmt::format("extent({}, 0), the number of indices, is not known to be a multiple of {}",
                          access.attributes[1], extent),
              fmt::format("give a multiple of {} indices", extent)};
    }
    if (extent > step) {
      return {fmt::format("windows of {} begin every {}, so that the last ones reach past {}", extent, step,
                          extent_text(access, axis)),
              "windows that are no wider than their stride"};
    }
    return cause_of_extent(access, axis);
  }

  cause cause_of_extent(const instruction& access, std::size_t axis) const {
    const std::set<std::int64_t> steps = steps_on(access.attributes[0], axis);
    const bool is_piece = is_output(parameter_of(access).kind);
    const char* noun = is_piece ? "pieces" : "tiles";
    std::string others;
    if (steps.size() > 1) others = fmt::format(", which {} of the tensor begin every", noun);
    return {fmt::format("{} is not known to be a multiple of {}{}", extent_text(access, axis),
                        fmt::join(steps, " and "), others),
            fmt::format("give a tensor whose extent there is a multiple of {}, or {} that divide it",
                        fmt::join(steps, " and "), noun)};
  }

  // From one tile to the next, of all that is read or written of the tensor.
  std::set<std::int64_t> steps_on(std::int64_t parameter, std::size_t axis) const {
    std::set<std::int64_t> found;
    collect_steps(source_.entry, parameter, axis, found);
    return found;
  }
  void collect_steps(const block& code, std::int64_t parameter, std::size_t axis, std::set<std::int64_t>& found) const {
    for (const instruction& next : code.body) {
      for (const block& inner : next.blocks) collect_steps(inner, parameter, axis, found);
      if (next.op == op::tiles && next.attributes[0] == parameter && next.attributes[1] == static_cast<int>(axis)) {
        found.insert(next.attributes[2]);
      }
      const bool is_access = ast::info(next.op).category == ast::op_category::memory &&
                             !ast::chooses_elements(next.op) && next.attributes[0] == parameter;
      if (is_access && !(next.op == op::gather_rows && axis == 0)) found.insert(tile_step(source_, next, axis));
    }
    if (found.size() > 1) found.erase(1);  // which divides everything
  }

  cause cause_on_gpu(gpu_mask mask, const instruction& access, std::size_t axis) const {
    switch (mask) {
      case gpu_mask::rounding:
        return cause_of_rounding(access, axis);
      case gpu_mask::steps:
        return {fmt::format("tiles of {} begin every {}, which is no multiple of it",
                            tile_extent(source_, access, axis), tile_step(source_, access, axis)),
                "a stride that is a multiple of the tile"};
      case gpu_mask::untold:
        return {"a reshape joins axes of its tiles, and then the assembler must not know what divides the extent",
                "tiles that have the shape which the reshape gives"};
      case gpu_mask::check:
        return cause_of_check(access, residual_check::kind::tile_index, "the tile's index");
      default:
        return cause_of_extent(access, axis);
    }
  }

  cause cause_of_rounding(const instruction& access, std::size_t axis) const {
    const std::int64_t exact =
        ast::chooses_elements(access.op) ? lanes_of(source_, access).extents[axis] : tile_extent(source_, access, axis);
    const auto rounded = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(exact)));
    return {fmt::format("its {} lanes are {} there, a power of two", exact, rounded),
            fmt::format("a tile of {} or {} lanes", rounded / 2, rounded)};
  }

  cause cause_of_check(const instruction& access, residual_check::kind what, const char* subject) const {
    for (const std::int32_t check : access.residual_checks) {
      const residual_check& rule = source_.residual_checks[static_cast<std::size_t>(check)];
      if (rule.what == what) return {fmt::format("the kernel checks {}: {}", subject, rule.reason), rule.fix};
    }
    return {};
  }

  const program& source_;
  const std::vector<bool> is_flattened_;
  masks_report report_;
  int site_ = 0;
};

}  // namespace

const char* devices_of(const mask_entry& entry) {
  if (entry.on_host && entry.on_gpu) return "all";
  return entry.on_host ? "host" : "GPU";
}

masks_report masks_of(const program& source) { return report_maker(source).make(); }

}  // namespace tilewright::compiler
