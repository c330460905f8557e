// SPDX-License-Identifier: Apache-2.0
#include "compiler/bind/shape_rules.hpp"

#include <algorithm>

#include "compiler/type_text.hpp"
#include "tilewright/ast/products.hpp"

namespace tilewright::compiler {
namespace {

using fault = std::optional<shape_fault>;
using types = std::span<const value_type>;

std::int32_t extent(const value_type& type, int axis) { return type.extents[static_cast<std::size_t>(axis)]; }

fault differ(const char* what, const value_type& expected, const value_type& got, const char* fix) {
  return shape_fault{what, extents_text(expected), extents_text(got), fix};
}

bool same_extents(const value_type& a, const value_type& b) { return a.rank == b.rank && a.extents == b.extents; }

// An operand may have rank 0, or extent 1 where the result has more.
bool broadcasts_to(const value_type& operand, const value_type& result) {
  if (operand.rank == 0) return true;
  if (operand.rank != result.rank) return false;
  for (int axis = 0; axis < result.rank; ++axis) {
    if (extent(operand, axis) != 1 && extent(operand, axis) != extent(result, axis)) return false;
  }
  return true;
}

fault element_wise(types operands, const value_type& result) {
  for (const value_type& operand : operands) {
    if (!broadcasts_to(operand, result)) {
      return differ("tile shapes do not go together", result, operand,
                    "only extents of 1 and rank 0 are repeated; give the dims equal values or reshape");
    }
  }
  return {};
}

fault reduced(const value_type& operand, const value_type& result, int axis) {
  value_type wanted = operand;
  wanted.extents[static_cast<std::size_t>(axis)] = 1;
  if (same_extents(wanted, result)) return {};
  return differ("a reduced tile keeps its axis with extent 1", wanted, result, "state that shape");
}

fault matrix(types operands, const value_type& result) {
  const value_type &a = operands[0], &b = operands[1], &c = operands[2];
  value_type wanted = c;
  const int column = c.rank - 1, row = column - 1;
  wanted.extents = a.extents;
  wanted.extents[static_cast<std::size_t>(column)] = extent(b, column);
  if (extent(a, column) != extent(b, row)) {
    return shape_fault{"mma needs one K", std::to_string(extent(a, column)) + " rows in b, as a has columns",
                       std::to_string(extent(b, row)), "load both with the same dim"};
  }
  if (row == 1 && extent(a, 0) != extent(b, 0)) {
    return shape_fault{"mma needs one batch", std::to_string(extent(a, 0)) + " matrices in b, as in a",
                       std::to_string(extent(b, 0)), "load both with the same dim, or broadcast"};
  }
  if (!same_extents(c, wanted)) return differ("mma's accumulator has another shape", wanted, c, "make it (m, n)");
  if (!same_extents(result, c)) return differ("mma's result has another shape", c, result, "state c's shape");
  return {};
}

fault scaled_matrix(types operands, const value_type& result) {
  if (const fault found = matrix(operands, result)) return found;
  const value_type &a = operands[0], &b = operands[1], &of_a = operands[3], &of_b = operands[4];
  if (!ast::are_blocks(a.element, of_a.element, extent(a, 1), extent(of_a, 1))) {
    return shape_fault{"mma_scaled has scales of blocks of another depth",
                       a.element == dtype::f4e2m1 ? "16 elements of K for each scale, or 32 for f8e8m0"
                                                  : "32 elements of K for each scale",
                       std::to_string(extent(a, 1)) + " elements for " + std::to_string(extent(of_a, 1)) + " scales",
                       "load a tile of K / 32 or K / 16 scales"};
  }
  value_type wanted_a = of_a, wanted_b = of_b;
  wanted_a.extents[0] = extent(a, 0);
  wanted_b.extents[0] = extent(of_a, 1);
  wanted_b.extents[1] = extent(b, 1);
  if (!same_extents(of_a, wanted_a))
    return differ("mma_scaled needs scales for each row of a", wanted_a, of_a, "load them with a's dim");
  if (!same_extents(of_b, wanted_b))
    return differ("mma_scaled needs scales for each column of b", wanted_b, of_b, "load them with b's dim");
  return {};
}

fault permuted(const value_type& operand, const value_type& result, std::int64_t axes) {
  value_type wanted = operand;
  for (int axis = 0; axis < operand.rank; ++axis) {
    wanted.extents[static_cast<std::size_t>(axis)] = extent(operand, static_cast<int>((axes >> (4 * axis)) & 15));
  }
  if (same_extents(wanted, result)) return {};
  return differ("a permuted tile has its operand's extents in the new order", wanted, result, "state that shape");
}

fault joined(types operands, const value_type& result, std::int64_t axis) {
  value_type wanted = operands[0], other = operands[1];
  const auto at = static_cast<std::size_t>(axis);
  wanted.extents[at] += other.extents[at];
  other.extents[at] = wanted.extents[at];
  if (same_extents(wanted, other) && same_extents(wanted, result)) return {};
  return differ("cat joins tiles along one axis", wanted, same_extents(wanted, other) ? result : operands[1],
                "give both tiles the same extents on the other axes, and the result the sum on this one");
}

fault extracted(const value_type& operand, const value_type& result, std::span<const std::int64_t> positions) {
  for (int axis = 0; axis < operand.rank; ++axis) {
    const std::int64_t pieces = extent(operand, axis) / extent(result, axis);
    const std::int64_t position = positions[static_cast<std::size_t>(axis)];
    if (extent(operand, axis) % extent(result, axis) != 0) {
      return differ("extract cuts a tile into equal pieces", operand, result, "choose extents that divide the tile's");
    }
    if (position < 0 || position >= pieces) {
      return shape_fault{"extract's position is outside the tile on axis " + std::to_string(axis),
                         "0 to " + std::to_string(pieces - 1), std::to_string(position),
                         "positions count in pieces, not in elements"};
    }
  }
  return {};
}

fault iota_shape(const value_type& result, std::int64_t axis) {
  for (int other = 0; other < result.rank; ++other) {
    if (other != axis && extent(result, other) != 1) {
      return shape_fault{"iota counts along one axis", "extent 1 on every other axis", extents_text(result),
                         "broadcast its result"};
    }
  }
  return {};
}

fault gathered(const value_type& rows, const value_type& result) {
  value_type wanted = result;
  wanted.extents[1] = 1;
  if (same_extents(rows, wanted)) return {};
  return differ("there is one row index per row of a tile", wanted, rows, "reshape the index tile");
}

fault reshaped(const value_type& operand, const value_type& result) {
  if (operand.elements() == result.elements()) return {};
  return shape_fault{"reshape keeps the number of elements",
                     std::to_string(operand.elements()) + " as " + extents_text(operand),
                     std::to_string(result.elements()) + " as " + extents_text(result), "choose other extents"};
}

}  // namespace

std::optional<shape_fault> find_shape_fault(ast::op op, std::span<const value_type> operands, const value_type& result,
                                            std::span<const std::int64_t> attributes) {
  using enum ast::op;
  switch (op) {
    case reduce_sum:
    case reduce_product:
    case reduce_max:
    case reduce_min:
    case argmax:
      return reduced(operands[0], result, static_cast<int>(attributes[0]));
    case mma:
      return matrix(operands, result);
    case mma_scaled:
      return scaled_matrix(operands, result);
    case permute:
      return permuted(operands[0], result, attributes[0]);
    case cat:
      return joined(operands, result, attributes[0]);
    case extract:
      return extracted(operands[0], result, attributes);
    case iota:
      return iota_shape(result, attributes[0]);
    case gather_rows:
      return gathered(operands[0], result);
    case store_rows:
      return gathered(operands[1], operands[0]);
    case reshape:
      return reshaped(operands[0], result);
    case same_shape:
      if (same_extents(operands[0], result)) return {};
      return differ("same_shape asserts shapes that differ", result, operands[0], "give the dims equal values");
    case cast:
    case bitcast:
    case scan_sum:
    case scan_product:
    case scan_max:
    case scan_min:
      if (same_extents(operands[0], result)) return {};
      return differ("the result has another shape", operands[0], result, "state the operand's shape");
    default:
      break;
  }
  const ast::op_category category = ast::info(op).category;
  const bool is_element_wise = category == ast::op_category::unary || category == ast::op_category::binary ||
                               category == ast::op_category::comparison || category == ast::op_category::ternary;
  return is_element_wise || op == broadcast || op == gather ? element_wise(operands, result) : fault{};
}

}  // namespace tilewright::compiler
