// SPDX-License-Identifier: Apache-2.0
// From host arguments to what the compiler needs to know of a launch: Dims, grid, facts.
#include <algorithm>

#include "compiler/bind/dim_values.hpp"
#include "compiler/bind/tensor_facts.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

// No address space holds more elements; index arithmetic on such extents cannot overflow.
constexpr index_t greatest_extent = index_t{1} << 48;

void require_count(const ast::module_view& module, std::size_t arguments) {
  if (static_cast<std::size_t>(module.parameter_count) == arguments) return;
  throw usage_error({.what = "wrong number of arguments",
                     .where = std::string("kernel '") + module.name + "'",
                     .expected = std::to_string(module.parameter_count),
                     .got = std::to_string(arguments),
                     .fix = "give one argument for each parameter"});
}

void require_form(const ast::module_view& module, int parameter, const argument& given) {
  const ast::tile_type& type = type_of_parameter(module, parameter);
  if (given.rank != type.rank) {
    throw usage_error({.what = "a tensor's rank differs from the kernel's",
                       .where = describe_parameter(module, parameter),
                       .expected = "rank " + std::to_string(type.rank),
                       .got = "rank " + std::to_string(given.rank),
                       .fix = "give a tensor of that rank"});
  }
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis) {
    if (given.extents[axis] >= 0 && given.extents[axis] <= greatest_extent) continue;
    throw usage_error({.what = "an extent is out of range",
                       .where = describe_parameter(module, parameter) + ", axis " + std::to_string(axis),
                       .expected = "0 to 2^48",
                       .got = std::to_string(given.extents[axis]),
                       .fix = "give a tensor that fits into memory"});
  }
}

index_t piece_count(const argument& output, std::size_t axis) {
  if (axis >= static_cast<std::size_t>(output.rank)) return 1;
  return (output.extents[axis] + output.piece[axis] - 1) / output.piece[axis];
}

std::string grid_text(const argument& output) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(output.rank); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(piece_count(output, axis));
  }
  return text + "] pieces";
}

// The output of greatest rank gives the grid; every other one must have as many pieces on each axis.
std::vector<index_t> grid_of(const ast::module_view& module, const std::vector<argument>& arguments) {
  int widest = -1;
  for (int p = 0; p < module.parameter_count; ++p) {
    if (!is_output(module.parameters[p].kind)) continue;
    const std::int8_t rank = arguments[static_cast<std::size_t>(p)].rank;
    if (widest < 0 || rank > arguments[static_cast<std::size_t>(widest)].rank) widest = p;
  }
  if (widest < 0) return {1};
  const argument& first = arguments[static_cast<std::size_t>(widest)];
  std::vector<index_t> grid;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(first.rank); ++axis)
    grid.push_back(piece_count(first, axis));
  for (int p = 0; p < module.parameter_count; ++p) {
    if (!is_output(module.parameters[p].kind)) continue;
    const argument& other = arguments[static_cast<std::size_t>(p)];
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      if (piece_count(other, axis) == grid[axis]) continue;
      throw usage_error({.what = "outputs have different numbers of pieces",
                         .where = describe_parameter(module, p) + ", axis " + std::to_string(axis),
                         .expected = grid_text(first) + " as parameter " + std::to_string(widest) + " has",
                         .got = grid_text(other),
                         .fix = "partition both into the same number of pieces on each axis; an axis that an output "
                                "lacks counts as one piece"});
    }
  }
  return grid;
}

}  // namespace

bound_arguments bind_arguments(const ast::module_view& module, const std::vector<argument>& arguments,
                               const std::vector<named_extent>& with, const std::vector<named_extent>& defaults) {
  require_count(module, arguments.size());
  for (int p = 0; p < module.parameter_count; ++p) require_form(module, p, arguments[static_cast<std::size_t>(p)]);
  bound_arguments bound;
  bound.special.dims = dim_values(module, arguments, with, defaults);
  bound.special.facts = facts_of(module, arguments, bound.special.dims);
  bound.grid = grid_of(module, arguments);
  return bound;
}

}  // namespace tilewright::compiler
