// SPDX-License-Identifier: Apache-2.0
#include "compiler/bind/overhang.hpp"

#include <cstdint>

#include "compiler/loops.hpp"
#include "compiler/tile_access.hpp"
#include "compiler/type_text.hpp"

namespace tilewright::compiler {
namespace {

using axes = std::uint8_t;  // bit a: axis a may overhang; never set where the extent is 1, a tile starts inside

constexpr axes bit(std::int64_t axis) { return static_cast<axes>(1U << axis); }

class overhang_analysis {
 public:
  overhang_analysis(const program& source, diagnostics& faults)
      : source_(source), faults_(faults), axes_(source.values.size(), 0), is_mixed_(source.values.size()) {}

  overhanging_lanes run(bool report) {
    visit(source_.entry, report);
    return {std::move(axes_), std::move(is_mixed_)};
  }

 private:
  void visit(const block& code, bool report) {
    for (const instruction& next : code.body) visit(next, report);
  }

  // `report` is off while a loop's carried values still grow, so that each fault is told once.
  void visit(const instruction& next, bool report) {
    report_ = report;
    if (is_loop(next)) return visit_loop(next, report);
    if (next.op == ast::op::if_begin) return visit_branch(next, report);
    if (next.op == ast::op::combine_at && all_operands(next) != 0) {
      refuse(next, "combine_at of a tile, an index or a mask that may reach past its tensor");
    }
    if (ast::has_combiner(next.op)) return visit_combined(next);
    if (!next.results.empty()) of(next.results[0]) = static_cast<axes>(transfer(next) & wide_axes(next.results[0]));
  }

  void visit_loop(const instruction& loop, bool report) {
    const block& body = loop.blocks[0];
    const std::size_t first = first_carried(loop), initial = first_initial(loop);
    const auto carried_at = [&](std::size_t i) -> axes& { return of(body.arguments[first + i]); };
    for (std::size_t i = 0; i < loop.results.size(); ++i) carried_at(i) = of(loop.operands[initial + i]);
    for (bool has_grown = true; has_grown;) {
      visit(body, false);
      has_grown = false;
      for (std::size_t i = 0; i < loop.results.size(); ++i) {
        axes& carried = carried_at(i);
        const axes joined = carried | of(body.yields[i]);
        has_grown = has_grown || joined != carried;
        carried = joined;
      }
    }
    if (report) visit(body, true);
    for (std::size_t i = 0; i < loop.results.size(); ++i) of(loop.results[i]) = carried_at(i);
  }

  void visit_branch(const instruction& branch, bool report) {
    visit(branch.blocks[0], report);
    visit(branch.blocks[1], report);
    for (std::size_t i = 0; i < branch.results.size(); ++i) {
      of(branch.results[i]) = of(branch.blocks[0].yields[i]) | of(branch.blocks[1].yields[i]);
    }
  }

  // A place of a result comes from all tiles.
  void visit_combined(const instruction& next) {
    const auto axis = next.attributes[0];
    const axes all = all_operands(next);
    if ((all & bit(axis)) != 0) refuse_along(next);
    const axes kept = next.op == ast::op::scan_begin ? all : static_cast<axes>(all & ~bit(axis));
    for (const value_id result : next.results) of(result) = kept;
  }

  axes transfer(const instruction& next) {
    using enum ast::op;
    switch (next.op) {
      case load:
      case load_window:
        return next.attributes[1] != 0 ? axes{0} : masked_axes(next);
      case load_piece:
        return masked_axes(next);
      case gather_rows:
        return static_cast<axes>((of(next.operands[0]) & bit(0)) | masked_axes(next));
      case reduce_sum:
      case reduce_product:
      case reduce_max:
      case reduce_min:
      case argmax:
      case scan_sum:
      case scan_product:
      case scan_max:
      case scan_min:
        return along_axis(next);
      case mma:
        return matrix(next);
      case mma_scaled:
        return scaled_matrix(next);
      case permute:
        return permuted(next);
      case reshape:
        return reshaped(next);
      case cat:
        return joined(next);
      case extract:
        return extracted(next);
      default:
        return all_operands(next);
    }
  }

  axes all_operands(const instruction& next) const {
    axes all = 0;
    for (const value_id operand : next.operands) all |= of(operand);
    return all;
  }

  axes along_axis(const instruction& next) {
    const axes operand = of(next.operands[0]);
    if ((operand & bit(next.attributes[0])) != 0) refuse_along(next);
    return ast::info(next.op).category == ast::op_category::scan
               ? operand
               : static_cast<axes>(operand & ~bit(next.attributes[0]));
  }

  axes matrix(const instruction& next) {
    const axes a = of(next.operands[0]), b = of(next.operands[1]), c = of(next.operands[2]);
    const int column = type(next.results[0]).rank - 1, row = column - 1;
    if ((a & bit(column)) != 0) refuse(next, "mma over a K that may reach past the tensor of its first operand");
    if ((b & bit(row)) != 0) refuse(next, "mma over a K that may reach past the tensor of its second operand");
    return static_cast<axes>((a & ~bit(column)) | (b & ~bit(row)) | c);
  }

  axes scaled_matrix(const instruction& next) {
    const axes of_a = of(next.operands[3]), of_b = of(next.operands[4]);
    if ((of_a & bit(1)) != 0) refuse(next, "mma_scaled over a K that may reach past the tensor of its first scales");
    if ((of_b & bit(0)) != 0) refuse(next, "mma_scaled over a K that may reach past the tensor of its second scales");
    return static_cast<axes>(matrix(next) | (of_a & bit(0)) | (of_b & bit(1)));
  }

  axes permuted(const instruction& next) const {
    const axes operand = of(next.operands[0]);
    axes result = 0;
    for (int axis = 0; axis < type(next.results[0]).rank; ++axis) {
      const std::int64_t source_axis = (next.attributes[0] >> (4 * axis)) & 15;
      if ((operand & bit(source_axis)) != 0) result |= bit(axis);
    }
    return result;
  }

  // Walks the axes wider than 1 of both shapes in groups of equal element counts. An overhanging axis must be alone in
  // its group, on both sides.
  axes reshaped(const instruction& next) {
    const axes operand = of(next.operands[0]);
    if (operand == 0) return 0;
    const value_type &from = type(next.operands[0]), &to = type(next.results[0]);
    const std::vector<int> from_axes = axes_wider_than_one(from), to_axes = axes_wider_than_one(to);
    axes result = 0;
    bool is_refused = false;
    for (std::size_t i = 0, j = 0; i < from_axes.size();) {
      const std::size_t first_from = i, first_to = j;
      std::int64_t left = extent(from, from_axes[i++]), right = extent(to, to_axes[j++]);
      while (left != right) {
        if (left < right)
          left *= extent(from, from_axes[i++]);
        else
          right *= extent(to, to_axes[j++]);
      }
      const bool is_one_to_one = i - first_from == 1 && j - first_to == 1;
      for (std::size_t at = first_from; at < i; ++at) {
        if ((operand & bit(from_axes[at])) == 0) continue;
        is_refused = is_refused || !is_one_to_one;
        result |= bit(to_axes[first_to]);
      }
    }
    if (is_refused) refuse(next, "reshape would split or merge an axis that may reach past its tensor");
    return result;
  }

  static std::vector<int> axes_wider_than_one(const value_type& shape) {
    std::vector<int> wide;
    for (int axis = 0; axis < shape.rank; ++axis) {
      if (extent(shape, axis) > 1) wide.push_back(axis);
    }
    return wide;
  }

  axes joined(const instruction& next) {
    const axes both = all_operands(next);
    if ((both & bit(next.attributes[0])) != 0) refuse(next, "cat along an axis that may reach past its tensor");
    return both;
  }

  axes extracted(const instruction& next) {
    const axes operand = of(next.operands[0]);
    const value_type &from = type(next.operands[0]), &to = type(next.results[0]);
    for (int axis = 0; axis < from.rank; ++axis) {
      if ((operand & bit(axis)) != 0 && extent(from, axis) != extent(to, axis)) {
        refuse(next, "extract would cut an axis that may reach past its tensor");
      }
    }
    return operand;
  }

  axes masked_axes(const instruction& load) const {
    const int rank = source_.parameters[static_cast<std::size_t>(load.attributes[0])].rank;
    axes masked = 0;
    for (int axis = 0; axis < rank; ++axis) {
      if (may_overhang(source_, load, static_cast<std::size_t>(axis))) masked |= bit(axis);
    }
    return masked;
  }

  axes wide_axes(value_id value) const {
    axes wide = 0;
    for (int axis = 0; axis < type(value).rank; ++axis) {
      if (extent(type(value), axis) > 1) wide |= bit(axis);
    }
    return wide;
  }

  void refuse_along(const instruction& next) {
    const char* name = next.op == ast::op::reduce_begin ? "reduce"
                       : next.op == ast::op::scan_begin ? "scan"
                                                        : ast::info(next.op).name;
    refuse(next, std::string(name) + " over axis " + std::to_string(next.attributes[0]) +
                     " of a tile that may reach past its tensor");
  }

  void refuse(const instruction& next, std::string what) {
    for (const value_id result : next.results) is_mixed_[static_cast<std::size_t>(result)] = true;
    if (!report_) return;
    faults_.add({next.location,
                 std::move(what),
                 "a tile that is full on that axis",
                 {},
                 "name the value of the lanes outside where the tile is loaded: load(i, j, pad(0)), or make the "
                 "tensor's extent a multiple of the tile's"});
  }

  static std::int32_t extent(const value_type& of, int axis) { return of.extents[static_cast<std::size_t>(axis)]; }
  const value_type& type(value_id value) const { return source_.values[static_cast<std::size_t>(value)]; }
  axes& of(value_id value) { return axes_[static_cast<std::size_t>(value)]; }
  axes of(value_id value) const { return axes_[static_cast<std::size_t>(value)]; }

  const program& source_;
  diagnostics& faults_;
  std::vector<axes> axes_;
  std::vector<bool> is_mixed_;
  bool report_ = false;
};

}  // namespace

void verify_overhang(const program& source, diagnostics& faults) { overhang_analysis(source, faults).run(true); }

overhanging_lanes find_overhanging_lanes(const program& source) {
  diagnostics none;
  return overhang_analysis(source, none).run(false);
}

}  // namespace tilewright::compiler
