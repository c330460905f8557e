// SPDX-License-Identifier: Apache-2.0
// The compiler's own form of a kernel after bind: SSA values with concrete tile shapes, nested blocks, no Dims. Passes
// rewrite it; interp and the emitters read it. Ops and attributes mean what ast/op_table.hpp and module_view.hpp say;
// the differences stand below.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/compiler/specialization.hpp"

namespace tilewright::compiler {

using value_id = std::int32_t;
inline constexpr value_id no_value = -1;

struct value_type {
  dtype element = dtype::f32;
  std::int8_t rank = 0;
  std::array<std::int32_t, max_rank> extents{};  // >= 1 up to the rank, 0 past it
  bool operator==(const value_type&) const = default;
  index_t elements() const {
    index_t count = 1;
    for (int axis = 0; axis < rank; ++axis) count *= extents[static_cast<std::size_t>(axis)];
    return count;
  }
};

struct source_location {
  std::int32_t record = -1;  // ordinal in the module: file and line follow from module_view.locations
};

struct instruction;

// A straight list of instructions. `arguments` are values that exist at its start; `yields` are given to the owner at
// its end.
struct block {
  std::vector<value_id> arguments;
  std::vector<instruction> body;
  std::vector<value_id> yields;
};

// Differences from a record:
//   for_begin  is a whole loop: operands from, to, step, then the initial carried values; blocks[0].arguments are the
//              loop variable and the carried values, its yields the next carried values; results are the last ones.
//              Attribute 0: 1 for .reduction(). step >= 1; no iteration when from >= to: results = initial values.
//   while_begin  is a whole loop: operands are the initial carried values; blocks[0].arguments are the carried values,
//              its yields the next ones; results are those that the condition refused. One while_condition stands in
//              the block itself: before it the condition, after it the body.
//   if_begin   is a whole branch: operand the condition; blocks[0] then, blocks[1] else; both yield the results.
//   reduce_begin, scan_begin  are a whole reduction or scan: operands are the tiles; blocks[0].arguments are left and
//              then right elements, one of each for every tile, all of rank 0; the block yields what they combine to;
//              results are the reduced or scanned tiles. Attributes: the record's, then the identities as of constant.
//              Left stands before right, seen from where a scan starts. The identity may be combined any number of
//              times, and pairs in any order that associativity (of a reduction: and commutativity) allows.
//   combiner_left, combiner_right, combiner_end, combined,
//   for_end, while_end, if_else, if_end, copy, assign, undefined, same_shape, dim_value do not occur;
//   require_equal and require only until they are checked; a require that no launch can judge is then an assertion.
//   tiles      attribute 2 is the tile's extent as a number; extract, permute, ... keep their attributes.
//   constant   attributes: ONE 64-bit word: an f64's bits for floating elements (already rounded to the element), else
//              the value as i64 (wrapped to the element's width). May have any shape (a splat).
//   add, ..., maximum  where the op table says that an op states its rounding: that, if it is not to nearest even.
//   table      attributes: a word for each element, as of constant, in row-major order.
//   binary, comparison, select, fma: all operands of a value have the result's shape, or rank 0, or extent 1 where the
//              result has more (implicit broadcast); equal rank or 0.
//   load_window  attributes 2 to 7 are the strides as numbers.
//   load, load_window, gather_rows: lanes outside the tensor are 0, or the pad value. A tile index within the grid of
//              tiles, and a row within the table, is guaranteed by the checks. Only lanes in the tensor are written.
//   store_rows  leaves out rows whose number is outside the tensor: those past the last index have -1.
//   gather     gives 0, and combine_at combines nothing, in lanes whose mask is false or that a check has failed in.
//              Indices of other lanes are within the tensor. All operands of both repeat to one shape, as above.
//   residual   checks of an instruction are made where it stands, whether its result is used or not: a load with a tile
//              index that fails gives zeros (also in place of the pad), so does the row of a gather; a divisor that
//              fails counts as 1. A pass that drops an instruction drops its checks.
//   assertion  of a check before a loop (hoisted out of it, or of its step): operands are what must hold, and in the
//              same shape the values that are told (as index); attributes, where a count is the limit: parameter, and
//              the extent of a tile (1: elements are counted) of which as many are allowed as the axis holds. The loop
//              has no round where it fails.
//   index      values are 64-bit; `narrow` marks those proved to fit 32 bits (simplify sets it).
struct instruction {
  ast::op op = ast::op::constant;
  std::vector<value_id> operands;
  std::vector<value_id> results;  // one, but for what has blocks (any), what writes pieces, while_condition (none)
  std::vector<std::int64_t> attributes;
  std::vector<block> blocks;
  source_location location;
  std::vector<std::int32_t> residual_checks = {};  // positions in program.residual_checks
};

struct program_parameter {
  parameter_kind kind = parameter_kind::in;
  dtype element = dtype::f32;
  std::int8_t rank = 0;
  std::array<std::int32_t, max_rank> piece{};  // of outputs: extents of a block's piece; 0: the whole axis
  // In: the extents that numbers and Dims of its type fix; -1 where the launch decides.
  std::array<index_t, max_rank> fixed_extents{-1, -1, -1, -1, -1, -1};
  tensor_facts facts;
  combiner by = combiner::sum;  // of an Accum
  std::int32_t placed_by = -1;  // of a Scatter: the Unique parameter that its rows go by, and that its grid has rows of

  // Of an output: the piece is all of the axis, so that the grid has one block there.
  bool has_whole(std::size_t axis) const { return axis < static_cast<std::size_t>(rank) && piece[axis] == 0; }
};

// Blocks that combine with such a parameter do so up to rounding: the sum depends on their order.
constexpr bool rounds_by_order(const program_parameter& parameter) {
  return parameter.kind == parameter_kind::accum && parameter.by == combiner::sum && is_floating(parameter.element);
}

// An expression over what the host knows at launch, in postfix order, 64-bit and checked for overflow when evaluated.
struct launch_expression {
  enum class kind : std::uint8_t {
    number,  // a
    extent,  // parameter a, axis b
    grid,    // axis a
    scalar,  // integer parameter a
    add,
    subtract,
    multiply,
    minimum,
    maximum,
    floor_div,
    ceil_div  // of the two values before
  };
  struct term {
    kind what;
    std::int64_t a = 0, b = 0;
  };
  std::vector<term> terms;
};

// `lesser <= greater` must hold for a launch; else usage_error with `rule`, the kernel's line and both values. It
// matters only where no guard is negative: a negative one says that the line is not reached.
struct launch_check {
  launch_expression lesser, greater;
  std::vector<launch_expression> guards;
  std::string rule;  // "tile index of 'x' axis 1 stays under its tile count"
  source_location location;
};

// A condition that neither the program nor a launch settles, so that the kernel checks it. Where it fails the first
// time, it goes into the launch's fault_status: its position here, and the values got, least and greatest allowed.
struct residual_check {
  enum class kind : std::uint8_t {
    tile_index,     // 0 <= operand `operand` < the number of tiles, or windows, on `axis`
    row_index,      // 0 <= each element of operand 0 < the number of rows
    divisor,        // no element of operand 1 is 0; least and greatest allowed are not told
    assertion,      // all elements of operand 0 hold; got is the ordinal, in row-major order, of one that does not
    element_index,  // 0 <= each element of operand `operand` < the extent on `axis`, where the mask holds
    step,           // operand 2 of a range is at least 1; least and greatest allowed are not told
    requirement     // operand 0, of rank 0, holds, and no launch can judge it
  };
  kind what = kind::tile_index;
  std::int32_t operand = 0;
  std::int32_t axis = 0;  // of the parameter
  std::string rule = {};  // "a tile index of parameter 1 (In) on axis 0 stays within the tiles"
  source_location location = {};
  std::string reason = {};  // why no launch can tell: "it depends on data loaded from parameter 2"
  std::string fix = {};     // how to write the kernel without the check
  value_type shape = {};    // of an assertion's condition
  bool is_hoisted = false;  // made before the loops that need it
  std::string text = {};    // what its author says of it
};

struct program {
  const ast::module_view* module = nullptr;  // for names and lines; outlives the program
  std::vector<program_parameter> parameters;
  std::vector<value_type> values;  // type by value_id
  std::vector<bool> narrow;        // by value_id, index values only
  int grid_rank = 0;               // axes that block_id may name
  block entry;                     // no arguments, no yields
  std::vector<launch_check> checks;
  std::vector<residual_check> residual_checks;  // each belongs to one instruction; none: a launch needs no fault_status
  tilewright::schedule schedule;                // the specialisation's, for GPUs
};

// Of a deterministic schedule: blocks that differ on this axis of the grid, and on those behind it, run one after the
// other in the order of their ids, as they share a piece of a sum of floats. max_rank where none do.
TILEWRIGHT_API std::size_t first_axis_in_turn(const program& source, const tilewright::schedule& plan);
// How many blocks, counted row-major over the grid, run so: 1 or more, of which the number of all blocks is a multiple.
TILEWRIGHT_API index_t blocks_in_turn(const program& source, const tilewright::schedule& plan,
                                      const std::vector<index_t>& grid);

// "kernel 'gemm' at gemm.hpp:12", for messages.
TILEWRIGHT_API std::string describe_location(const ast::module_view& module, source_location location);
TILEWRIGHT_API std::string to_text(const program& source);      // the printer behind TILEWRIGHT_DUMP=program
TILEWRIGHT_API std::string checks_text(const program& source);  // and behind TILEWRIGHT_DUMP=checks: one line each

}  // namespace tilewright::compiler
