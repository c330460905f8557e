// SPDX-License-Identifier: Apache-2.0
// The one table of operations. Capture, verifier, printer, interpreter, emitters, the reference page and the tests
// read it; every switch over `op` is exhaustive, so an op that lacks a piece does not compile.
#pragma once

#include <cstdint>

#include "tilewright/base/dtype.hpp"

namespace tilewright::ast {

// What an op's result type follows from.
enum class result_rule : std::uint8_t {
  none,           // no result
  stated,         // the record's type, checked by the op's own rule
  same,           // the type of the (equal-typed, already broadcast-compatible) operands, shapes joined 1 -> n
  boolean,        // as `same`, with element bool
  reduced,        // operand 0 with extent 1 on the axis
  reduced_index,  // as `reduced`, with element index
  scalar_index,   // rank 0, element index
};

enum class op_category : std::uint8_t {
  structure,
  position,
  memory,
  create,
  unary,
  binary,
  comparison,
  ternary,
  convert,
  reduce,
  scan,
  matrix,
  shape
};

// Which elements an op takes: bits of one mask.
namespace accepts {
inline constexpr unsigned boolean = 1, integer = 2, floating = 4, index = 8;     // floating: without those below
inline constexpr unsigned fp8 = 16, tf32 = 32, scale = 64, any = 127, none = 0;  // any: of tensors
inline constexpr unsigned half_byte = 128, any_tile = any | half_byte;
inline constexpr unsigned number = integer | floating | index, bits = boolean | integer | index;

constexpr unsigned bit_of(dtype element) {
  if (element == dtype::boolean) return boolean;
  if (element == dtype::index) return index;
  if (is_half_byte(element)) return half_byte;
  if (is_fp8(element)) return fp8;
  if (element == dtype::tf32) return tf32;
  if (element == dtype::f8e8m0) return scale;
  return is_floating(element) ? floating : integer;
}
}  // namespace accepts

inline constexpr int variadic = -1;
inline constexpr double exact = 0.0;
inline constexpr double no_bound = -1.0;  // not one rounding: the bound of sums stands in docs/testing.md

// Columns: name, category, operands, attributes, accepted elements, result rule, error bound in ULP of the result for
// f32 against exact arithmetic, Tile IR mnemonics, least Tile IR bytecode minor version (13.x), meaning.
// Attributes by op stand in `module_view.hpp`.
// keep-sorted within a category is not wanted here: the order is the order of the reference page.
// clang-format off
#define TILEWRIGHT_FOR_EACH_OP(X)                                                                                      \
  X(scalar, structure, 0, 1, any, stated, exact, "entry argument", 1, "value of a Scalar parameter")                    \
  X(copy, structure, 1, 0, any_tile, same, exact, "-", 1, "a new tile variable with the operand's value")                    \
  X(assign, structure, 2, 0, any_tile, none, exact, "-", 1, "gives variable (operand 0) a new value")                        \
  X(undefined, structure, 0, 0, any_tile, stated, exact, "-", 1, "a variable that both branches of if_ assign")              \
  X(for_begin, structure, 3, 1, index, scalar_index, exact, "for", 1, "loop from a up to, without, b by step")          \
  X(for_end, structure, 0, 0, none, none, exact, "continue", 1, "end of the innermost loop")                            \
  X(while_begin, structure, 0, 0, none, none, exact, "loop", 1, "loop whose rounds begin with the condition")             \
  X(while_condition, structure, 1, 0, boolean, none, exact, "break", 1, "end of the condition: another round where it holds") \
  X(while_end, structure, 0, 0, none, none, exact, "continue", 1, "end of the innermost while_")                        \
  X(if_begin, structure, 1, 0, boolean, none, exact, "if", 1, "then branch, taken when the scalar condition holds")     \
  X(if_else, structure, 0, 0, none, none, exact, "yield", 1, "else branch of the innermost if_")                        \
  X(if_end, structure, 0, 0, none, none, exact, "yield", 1, "end of the innermost if_")                                 \
  X(reduce_begin, structure, variadic, 1, any_tile, none, exact, "reduce", 1, "tiles reduced together along an axis, by the combiner up to combiner_end") \
  X(scan_begin, structure, variadic, 2, any_tile, none, exact, "scan", 1, "tiles scanned together along an axis, by the combiner up to combiner_end") \
  X(combiner_left, structure, 0, 2, any_tile, stated, exact, "-", 1, "of the next tile what stands before; and the identity of that tile") \
  X(combiner_right, structure, 0, 0, any_tile, stated, exact, "-", 1, "of the next tile what stands after")                  \
  X(combiner_end, structure, variadic, 0, any_tile, none, exact, "yield", 1, "what the combiner makes of both, one for each tile") \
  X(combined, structure, 0, 0, any_tile, stated, exact, "-", 1, "the next result of the combiner that has just ended")       \
  X(block_id, position, 0, 1, index, scalar_index, exact, "get_tile_block_id", 1, "logical block id on an axis")        \
  X(block_count, position, 0, 1, index, scalar_index, exact, "get_num_tile_blocks", 1, "logical grid size on an axis")  \
  X(extent, position, 0, 2, index, scalar_index, exact, "get_tensor_shape", 1, "extent of a tensor parameter")          \
  X(tiles, position, 0, 3, index, scalar_index, exact, "get_index_space_shape", 1, "number of tiles on an axis")        \
  X(dim_value, position, 0, 1, index, scalar_index, exact, "constant", 1, "value that a Dim is bound to")               \
  X(require_equal, position, 2, 0, index, none, exact, "-", 1, "a launch in which the operands differ is refused")      \
  X(require, position, 1, 0, boolean, none, exact, "-", 1, "a launch for which the scalar condition fails is refused")     \
  X(assertion, position, 1, 1, boolean, none, exact, "-", 1, "a launch in which an element of the condition is false fails") \
  X(print, position, variadic, 1, any_tile, none, exact, "print_tko", 1, "a line of text that shows the operands")              \
  X(load, memory, variadic, 2, any, stated, exact, "load_view_tko", 1, "tile of an In parameter at a tile index")       \
  X(load_window, memory, variadic, 8, any, stated, exact, "load_view_tko", 3,                                           \
    "tile of an In parameter that begins at an index times a stride: windows that overlap or leave gaps")               \
  X(load_piece, memory, 0, 1, any, stated, exact, "load_view_tko", 1, "this block's piece of an InOut parameter")       \
  X(gather_rows, memory, 2, 1, any, stated, exact, "load_ptr_tko", 1, "rows of a rank-2 In chosen by an index tile")    \
  X(gather, memory, variadic, 2, any, stated, exact, "load_ptr_tko", 1,                                                 \
    "elements of an In chosen by a tile of indices per axis, where the mask holds if there is one; else 0")              \
  X(store, memory, 1, 1, any, none, exact, "store_view_tko", 1, "writes this block's piece of an output")               \
  X(combine, memory, 1, 1, integer | floating, none, no_bound, "atomic_rmw_tko", 1,                                     \
    "a tile into this block's piece of an Accum: integers of 32 and 64 bits, f32, f64; each element in one step")                          \
  X(combine_at, memory, variadic, 2, any, none, no_bound, "atomic_rmw_tko", 1,                                           \
    "a tile into elements of an Accum chosen by a tile of indices per axis, where the mask holds; elements as of combine")  \
  X(store_tile, memory, variadic, 1, any, none, exact, "store_view_tko", 1,                                              \
    "writes a tile of this block's piece of an output, at a tile index on each axis that the piece has whole")           \
  X(store_rows, memory, 2, 2, any, none, exact, "store_ptr_tko", 1,                                                      \
    "writes this block's piece of a Scatter, each row to the row that its unique index names")                           \
  X(constant, create, 0, 2, any_tile, stated, exact, "constant", 1, "every element is one literal")                          \
  X(iota, create, 0, 1, integer | index, stated, exact, "iota", 1, "0, 1, 2, ... along an axis")                        \
  X(table, create, 0, variadic, any, stated, exact, "constant", 1, "elements that are literals, in row-major order")      \
  X(negate, unary, 1, 0, number, same, exact, "negi/negf", 1, "-x; integers wrap")                                      \
  X(absolute, unary, 1, 0, number, same, exact, "absi/absf", 1, "|x|; the least integer stays itself")                  \
  X(bit_not, unary, 1, 0, bits, same, exact, "xori", 1, "each bit inverted; logical not for bool")                      \
  X(exp, unary, 1, 0, floating, same, 2.0, "exp", 1, "e^x")                                                             \
  X(exp2, unary, 1, 1, floating, same, 2.0, "exp2", 1, "2^x")                                                           \
  X(log, unary, 1, 0, floating, same, 2.0, "log", 1, "natural logarithm; NaN below 0, -inf at 0")                       \
  X(log2, unary, 1, 0, floating, same, 2.0, "log2", 1, "logarithm to base 2; NaN below 0, -inf at 0")                  \
  X(sqrt, unary, 1, 1, floating, same, 0.5, "sqrt", 1, "square root, correctly rounded; NaN below 0")                   \
  X(rsqrt, unary, 1, 1, floating, same, 2.0, "rsqrt", 1, "1 / sqrt(x)")                                                 \
  X(tanh, unary, 1, 1, floating, same, 4.0, "tanh", 1, "hyperbolic tangent")                                            \
  X(sin, unary, 1, 0, floating, same, 4.0, "sin", 1, "sine, radians")                                                   \
  X(cos, unary, 1, 0, floating, same, 4.0, "cos", 1, "cosine, radians")                                                 \
  X(tan, unary, 1, 0, floating, same, 4.0, "tan", 1, "tangent, radians")                                               \
  X(sinh, unary, 1, 0, floating, same, 4.0, "sinh", 1, "hyperbolic sine")                                              \
  X(cosh, unary, 1, 0, floating, same, 4.0, "cosh", 1, "hyperbolic cosine")                                            \
  X(floor, unary, 1, 0, floating, same, exact, "floor", 1, "greatest whole number that is not above x; keeps -0")      \
  X(ceil, unary, 1, 0, floating, same, exact, "ceil", 1, "least whole number that is not below x; -0 from above -1")   \
  X(add, binary, 2, 1, number, same, 0.5, "addi/addf", 1, "a + b; integers wrap")                                       \
  X(subtract, binary, 2, 1, number, same, 0.5, "subi/subf", 1, "a - b; integers wrap")                                  \
  X(multiply, binary, 2, 1, number, same, 0.5, "muli/mulf", 1, "a * b; integers wrap")                                  \
  X(divide, binary, 2, 1, number, same, 0.5, "divi/divf", 1, "a / b; integers truncate, least / -1 wraps")              \
  X(remainder, binary, 2, 0, integer | index, same, exact, "remi", 1, "a - b * (a / b); takes the sign of a")           \
  X(floor_div, binary, 2, 0, integer | index, same, exact, "divi", 1, "a / b rounded down")                             \
  X(floor_mod, binary, 2, 0, integer | index, same, exact, "remi/addi", 1, "a - b * floor_div(a, b); sign of b")        \
  X(minimum, binary, 2, 1, number, same, exact, "mini/minf", 1, "lesser; NaN if either is; -0 below +0")                \
  X(maximum, binary, 2, 1, number, same, exact, "maxi/maxf", 1, "greater; NaN if either is; +0 above -0")               \
  X(pow, binary, 2, 0, floating, same, 4.0, "fpowf", 1, "a to the power of b; special cases as in C")                  \
  X(atan2, binary, 2, 0, floating, same, 4.0, "atan2", 2, "angle of the point (b, a) in -pi to pi; special cases as in C") \
  X(multiply_high, binary, 2, 0, integer, same, exact, "mulhii", 1, "upper half of the product in twice the width")    \
  X(bit_and, binary, 2, 0, bits, same, exact, "andi", 1, "bitwise and; logical for bool")                               \
  X(bit_or, binary, 2, 0, bits, same, exact, "ori", 1, "bitwise or; logical for bool")                                  \
  X(bit_xor, binary, 2, 0, bits, same, exact, "xori", 1, "bitwise exclusive or")                                        \
  X(shift_left, binary, 2, 0, integer | index, same, exact, "shli", 1, "a << b; 0 when b is negative or past the width")  \
  X(shift_right, binary, 2, 0, integer | index, same, exact, "shri", 1, "a >> b; past the width 0, or the sign of a")   \
  X(less, comparison, 2, 0, number, boolean, exact, "cmpi/cmpf", 1, "a < b; false with NaN")                            \
  X(less_equal, comparison, 2, 0, number, boolean, exact, "cmpi/cmpf", 1, "a <= b; false with NaN")                     \
  X(greater, comparison, 2, 0, number, boolean, exact, "cmpi/cmpf", 1, "a > b; false with NaN")                         \
  X(greater_equal, comparison, 2, 0, number, boolean, exact, "cmpi/cmpf", 1, "a >= b; false with NaN")                  \
  X(equal, comparison, 2, 0, boolean | number, boolean, exact, "cmpi/cmpf", 1, "a == b; false with NaN")                             \
  X(not_equal, comparison, 2, 0, boolean | number, boolean, exact, "cmpi/cmpf", 1, "a != b; true with NaN")                          \
  X(select, ternary, 3, 0, any_tile, stated, exact, "select", 1, "a where the condition holds, else b")                      \
  X(fma, ternary, 3, 1, floating, same, 0.5, "fma", 1, "a * b + c, rounded once")                                       \
  X(cast, convert, 1, 0, any_tile, stated, 0.5, "ftof/ftoi/itof/exti/trunci", 1,                                             \
    "to another element: floats round to nearest even, float to integer saturates with NaN to 0, integers wrap;" \
    " to fp8 and f4e2m1 saturates, infinity too, and NaN to 6 in f4e2m1; i4 and u4 are made of integers and become them; tf32 and f8e8m0 are made of f32 and become it, f8e8m0 of a magnitude, rounded up") \
  X(bitcast, convert, 1, 0, boolean | number | fp8 | scale | half_byte, stated, exact, "bitcast", 1, "the same bits as an element of equal width; of 4 bits the low half of a u8")             \
  X(reduce_sum, reduce, 1, 1, number, reduced, no_bound, "reduce", 1, "sum along an axis; f16 and bf16 sum in f32")     \
  X(reduce_product, reduce, 1, 1, number, reduced, no_bound, "reduce", 1, "product along an axis, as reduce_sum")       \
  X(reduce_max, reduce, 1, 1, number, reduced, exact, "reduce", 1, "greatest along an axis; NaN wins")                  \
  X(reduce_min, reduce, 1, 1, number, reduced, exact, "reduce", 1, "least along an axis; NaN wins")                     \
  X(argmax, reduce, 1, 1, number, reduced_index, exact, "reduce", 1, "position of the greatest: first of ties, first NaN")  \
  X(scan_sum, scan, 1, 2, number, same, no_bound, "scan", 1,                                                            \
    "running sum along an axis, from either end, the element itself included; f16 and bf16 sum in f32")                 \
  X(scan_product, scan, 1, 2, number, same, no_bound, "scan", 1, "running product along an axis, as scan_sum")          \
  X(scan_max, scan, 1, 2, number, same, exact, "scan", 1, "greatest so far along an axis; NaN wins from where it stands")  \
  X(scan_min, scan, 1, 2, number, same, exact, "scan", 1, "least so far along an axis; NaN wins from where it stands")  \
  X(mma, matrix, 3, 1, integer | floating | fp8 | tf32, stated, no_bound, "mmaf/mmai", 1,                                        \
    "a (m,k) * b (k,n) + c (m,n), or a batch of them, (b,m,k) and so on, summed in c's element: i8 and u8 in i32, f16 and fp8 in f16 or f32, bf16, tf32 and f32 in f32, f64")  \
  X(mma_scaled, matrix, 5, 0, floating | fp8 | scale | half_byte, stated, no_bound, "mmaf_scaled", 3,                      \
    "mma of fp8 or f4e2m1 in f32 whose factors are multiplied by scales: (m,k), (k,n), (m,n), (m,k/v), (k/v,n); each scale is of v elements along k, an f8e8m0 (v 32, of f4e2m1 16 too) or of f4e2m1 the magnitude of an f8e4m3 (v 16)") \
  X(permute, shape, 1, 1, any_tile, stated, exact, "permute", 1, "axis i of the result is axis p[i] of the operand")         \
  X(reshape, shape, 1, 0, any_tile, stated, exact, "reshape", 1, "same elements in row-major order, other extents")          \
  X(broadcast, shape, 1, 0, any_tile, stated, exact, "reshape/broadcast", 1, "extents of 1 repeated")                        \
  X(same_shape, shape, 1, 0, any_tile, stated, exact, "-", 1, "the operand under other Dim names, equal when bound")         \
  X(cat, shape, 2, 1, any_tile, stated, exact, "cat", 1, "operands joined along an axis")                                    \
  X(extract, shape, 1, 6, any_tile, stated, exact, "extract", 1, "the piece at a constant position, in pieces, on each axis")
// clang-format on

enum class op : std::uint8_t {
#define TILEWRIGHT_OP(name, ...) name,
  TILEWRIGHT_FOR_EACH_OP(TILEWRIGHT_OP)
#undef TILEWRIGHT_OP
};

struct op_info {
  const char* name;
  op_category category;
  std::int8_t operands;    // a count, or `variadic`
  std::int8_t attributes;  // a count, or `variadic`: the first tells how many follow
  unsigned elements;       // mask of `accepts`
  result_rule result;
  double ulp;
  const char* tileir;
  int least_tileir_minor;
  const char* meaning;
};

namespace detail {
using namespace accepts;  // the table's element column names them bare
inline constexpr op_info op_rows[] = {
#define TILEWRIGHT_OP(name, category, operands, attributes, elements, rule, ulp, tileir, minor, meaning) \
  {#name, op_category::category, operands, attributes, elements, result_rule::rule, ulp, tileir, minor, meaning},
    TILEWRIGHT_FOR_EACH_OP(TILEWRIGHT_OP)
#undef TILEWRIGHT_OP
};
}  // namespace detail

inline constexpr int op_count = sizeof(detail::op_rows) / sizeof(op_info);

constexpr const op_info& info(op which) { return detail::op_rows[static_cast<int>(which)]; }

// Between tf32 or f8e8m0 and another element there is no conversion but by way of f32, between i4 or u4 and another one
// none but by way of an integer.
constexpr bool is_converted(dtype from, dtype to) {
  const auto is_small_integer = [](dtype type) { return is_half_byte(type) && !is_floating(type); };
  const auto fits = [&](dtype made, dtype other) {
    if (is_small_integer(made)) return is_small_integer(other) || (is_integer(other) && other != dtype::index);
    return !is_of_single(made) || other == made || other == dtype::f32;
  };
  return fits(from, to) && fits(to, from);
}

// Whether bits of one are bits of the other: elements of 4 bits are the low half of a u8.
constexpr bool shares_bits(dtype from, dtype to) {
  if (is_half_byte(from) || is_half_byte(to)) return from == dtype::u8 || to == dtype::u8 || from == to;
  return info(from).size_bytes == info(to).size_bytes;
}

constexpr bool takes(op which, dtype element) { return (info(which).elements & accepts::bit_of(element)) != 0; }

// What a reduction, argmax or scan combines elements with.
constexpr op combining_op(op along_axis) {
  switch (along_axis) {
    case op::reduce_sum:
    case op::scan_sum:
      return op::add;
    case op::reduce_product:
    case op::scan_product:
      return op::multiply;
    case op::reduce_max:
    case op::scan_max:
    case op::argmax:
      return op::maximum;
    default:
      return op::minimum;  // reduce_min, scan_min
  }
}

// Whether it divides, integers with a remainder or without.
constexpr bool divides(op which) {
  return which == op::divide || which == op::remainder || which == op::floor_div || which == op::floor_mod;
}

// How an operation on floats becomes a number that the element has: to nearest even, or as the operation says.
enum class rounding : std::uint8_t {
  nearest_even,
  toward_zero,
  downward,
  upward,
  approximate,  // within a bound, cheaper
  full_range,   // the same of divisors of every size
  flushed       // to nearest even, where denormal operands and results count as 0 of their sign
};
inline constexpr int rounding_count = 7;

// Whether it may round so: in a direction f32 and f64, otherwise f32 alone.
constexpr bool is_directed(rounding how) { return how >= rounding::toward_zero && how <= rounding::upward; }
constexpr bool may_round(op which, rounding how) {
  switch (which) {
    case op::add:
    case op::subtract:
    case op::multiply:
    case op::fma:
      return is_directed(how) || how == rounding::flushed;
    case op::sqrt:
      return how != rounding::full_range;
    case op::divide:
      return true;
    case op::rsqrt:
    case op::exp2:
    case op::minimum:
    case op::maximum:
      return how == rounding::flushed;
    case op::tanh:
      return how == rounding::approximate;
    default:
      return false;
  }
}
constexpr bool is_rounded(dtype element, rounding how) {
  return how == rounding::nearest_even || element == dtype::f32 || (element == dtype::f64 && is_directed(how));
}

// Whether it has an attribute that says so.
constexpr bool states_rounding(op which) {
  return may_round(which, rounding::flushed) || may_round(which, rounding::approximate);
}
constexpr const char* name_of(rounding how) {
  constexpr const char* names[] = {"nearest_even", "toward_zero", "downward", "upward",
                                   "approximate",  "full_range",  "flushed"};
  return names[static_cast<int>(how)];
}

// What reduces or scans several tiles by a combiner.
constexpr bool has_combiner(op which) { return which == op::reduce_begin || which == op::scan_begin; }

inline constexpr int most_combined_tiles = 8;

// The combiner of a reduction or scan has elements alone, and no effect.
constexpr bool may_stand_in_combiner(op which) {
  const op_category category = info(which).category;
  const bool is_element_wise = category >= op_category::unary && category <= op_category::convert;
  return is_element_wise || which == op::constant || which == op::copy || which == op::assign;
}

// Whether it changes this block's piece of an output.
constexpr bool writes_piece(op which) {
  return which == op::store || which == op::store_tile || which == op::store_rows || which == op::combine ||
         which == op::combine_at;
}

// Whether it reads a tile of an input at an index on each axis.
constexpr bool loads_tile(op which) { return which == op::load || which == op::load_window; }

// Whether its operands choose elements of a tensor one by one.
constexpr bool chooses_elements(op which) { return which == op::gather || which == op::combine_at; }

// Whether it is done though nobody reads a result.
constexpr bool has_effect(op which) { return writes_piece(which) || which == op::assertion || which == op::print; }

}  // namespace tilewright::ast
