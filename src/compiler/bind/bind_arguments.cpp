// SPDX-License-Identifier: Apache-2.0
// From host arguments to what the compiler needs to know of a launch: Dims, grid, facts.
#include <algorithm>

#include "compiler/bind/dim_values.hpp"
#include "compiler/bind/tensor_facts.hpp"
#include "compiler/record_cursor.hpp"
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
  if (given.shared_by != not_stated && (given.shared_by < 0 || given.shared_by > greatest_extent)) {
    throw usage_error({.what = "a piece is shared by an impossible number of blocks",
                       .where = describe_parameter(module, parameter),
                       .expected = "0 to 2^48",
                       .got = "shared_by(" + std::to_string(given.shared_by) + ")",
                       .fix = "count the blocks that combine into each piece"});
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

// By parameter: the unique indices that its rows go by; -1 where there are none.
std::vector<int> placing_parameters(const ast::module_view& module) {
  std::vector<int> placed_by(static_cast<std::size_t>(module.parameter_count), -1);
  const ast::parameter_record* const end = module.parameters + module.parameter_count;
  const bool has_any = std::any_of(module.parameters, end, [](const ast::parameter_record& parameter) {
    return parameter.kind == parameter_kind::scatter;
  });
  if (!has_any) return placed_by;
  record_cursor cursor(module);
  record next;
  while (cursor.next(next)) {
    if (next.op == ast::op::store_rows) placed_by[static_cast<std::size_t>(next.attributes[0])] = next.attributes[1];
  }
  return placed_by;
}

void require_places(const ast::module_view& module, int output, int indices, const std::vector<argument>& arguments) {
  const index_t bound = arguments[static_cast<std::size_t>(indices)].index_bound;
  const index_t rows = arguments[static_cast<std::size_t>(output)].extents[0];
  if (bound == not_stated) {
    throw usage_error({.what = "rows are placed by indices that nobody has checked",
                       .where = describe_parameter(module, indices),
                       .expected = "unique_indices(...)",
                       .got = "a tensor",
                       .fix = "check it once: unique_indices(std::move(t).share(), rows)"});
  }
  if (rows >= bound) return;
  throw usage_error({.what = "unique indices name rows that an output does not have",
                     .where = describe_parameter(module, output) + ", placed by parameter " + std::to_string(indices),
                     .expected = "at least " + std::to_string(bound) + " rows, which the indices were checked for",
                     .got = std::to_string(rows) + " rows",
                     .fix = "check the indices for fewer rows, unique_indices(t, rows), or give a longer output"});
}

// The arguments as the grid sees them: the pieces of a Scatter have the rows of its indices.
std::vector<argument> as_cut(const ast::module_view& module, std::vector<argument> arguments) {
  const std::vector<int> placed_by = placing_parameters(module);
  for (std::size_t p = 0; p < placed_by.size(); ++p) {
    if (placed_by[p] < 0) continue;
    require_places(module, static_cast<int>(p), placed_by[p], arguments);
    arguments[p].extents[0] = arguments[static_cast<std::size_t>(placed_by[p])].extents[0];
  }
  return arguments;
}

index_t piece_count(const ast::tile_type& type, const argument& output, std::size_t axis) {
  if (axis >= static_cast<std::size_t>(output.rank) || type.extents[axis] == ast::dynamic_extent) return 1;
  return (output.extents[axis] + output.piece[axis] - 1) / output.piece[axis];
}

std::string grid_text(const ast::tile_type& type, const argument& output) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(output.rank); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(piece_count(type, output, axis));
  }
  return text + "] pieces";
}

bool is_accum(const ast::module_view& module, int parameter) {
  return module.parameters[parameter].kind == parameter_kind::accum;
}

// The parameter that gives the grid: of greatest rank among the outputs that are a block's own, for no two blocks may
// have one piece of them; where there is none, among the Accums.
int leading_output(const ast::module_view& module, const std::vector<argument>& arguments) {
  const auto rank = [&](int p) { return arguments[static_cast<std::size_t>(p)].rank; };
  int leading = -1;
  for (int p = 0; p < module.parameter_count; ++p) {
    if (!is_output(module.parameters[p].kind)) continue;
    const bool is_own = !is_accum(module, p), leads_own = leading >= 0 && !is_accum(module, leading);
    if (leading < 0 || (is_own && !leads_own) || (is_own == leads_own && rank(p) > rank(leading))) leading = p;
  }
  return leading;
}

// How many blocks share a piece of the widest Accums, where no other output says it.
index_t sharers(const ast::module_view& module, const std::vector<argument>& arguments, std::int8_t rank) {
  for (int p = 0; p < module.parameter_count; ++p) {
    const argument& output = arguments[static_cast<std::size_t>(p)];
    if (is_accum(module, p) && output.rank == rank && output.shared_by != not_stated) return output.shared_by;
  }
  return 1;
}

void require_sharing(const ast::module_view& module, int parameter, const argument& output,
                     const std::vector<index_t>& grid) {
  if (output.shared_by == not_stated) return;
  if (!is_accum(module, parameter)) {
    throw usage_error({.what = "blocks share a piece of an output that each of them stores",
                       .where = describe_parameter(module, parameter),
                       .expected = "a partition without shared_by(...)",
                       .got = "shared_by(" + std::to_string(output.shared_by) + ")",
                       .fix = "leave shared_by() out, or declare the parameter Accum<T, combiner::sum, ...>"});
  }
  index_t blocks = 1;
  for (auto axis = static_cast<std::size_t>(output.rank); axis < grid.size(); ++axis) {
    if (__builtin_mul_overflow(blocks, grid[axis], &blocks)) blocks = INT64_MAX;
  }
  if (blocks == output.shared_by) return;
  throw usage_error({.what = "another number of blocks share a piece than was stated",
                     .where = describe_parameter(module, parameter),
                     .expected = std::to_string(blocks) + ", the blocks of the grid on the axes behind its own",
                     .got = "shared_by(" + std::to_string(output.shared_by) + ")",
                     .fix = "leave shared_by() out, or give the outputs of more axes as many pieces there"});
}

// Each output that is a block's own must have as many pieces on each axis as the grid; an Accum on its own axes, for
// blocks that differ on other axes share its pieces.
std::vector<index_t> grid_of(const ast::module_view& module, const std::vector<argument>& arguments) {
  const int leading = leading_output(module, arguments);
  if (leading < 0) return {1};
  const argument& first = arguments[static_cast<std::size_t>(leading)];
  const ast::tile_type& first_type = type_of_parameter(module, leading);
  std::vector<index_t> grid;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(first.rank); ++axis)
    grid.push_back(piece_count(first_type, first, axis));
  if (is_accum(module, leading)) grid.push_back(sharers(module, arguments, first.rank));
  for (int p = 0; p < module.parameter_count; ++p) {
    if (!is_output(module.parameters[p].kind)) continue;
    const argument& other = arguments[static_cast<std::size_t>(p)];
    const ast::tile_type& type = type_of_parameter(module, p);
    require_sharing(module, p, other, grid);
    const std::size_t axes = is_accum(module, p) ? static_cast<std::size_t>(other.rank) : grid.size();
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (piece_count(type, other, axis) == (axis < grid.size() ? grid[axis] : 1)) continue;
      throw usage_error({.what = "outputs have different numbers of pieces",
                         .where = describe_parameter(module, p) + ", axis " + std::to_string(axis),
                         .expected = grid_text(first_type, first) + " as parameter " + std::to_string(leading) + " has",
                         .got = grid_text(type, other),
                         .fix = "partition both into the same number of pieces on each axis; an axis that an Out or "
                                "InOut lacks counts as one piece"});
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
  bound.grid = grid_of(module, as_cut(module, arguments));
  return bound;
}

}  // namespace tilewright::compiler
