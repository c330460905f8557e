// SPDX-License-Identifier: Apache-2.0
// A captured kernel as flat arrays of integers: what lang writes into .rodata and the compiler reads. No pointers
// inside, so the bytes of `code`, `types`, `symbols` and `parameters` can be hashed and compared.
#pragma once

#include <cstdint>

#include "tilewright/ast/op_table.hpp"
#include "tilewright/base/dim.hpp"
#include "tilewright/base/dtype.hpp"
#include "tilewright/base/parameters.hpp"

namespace tilewright::ast {

// ---- Extents -------------------------------------------------------------------------------------------------------
// An extent in a module is one int: >= 0 a number, -1 - s the symbol s of the module, `dynamic_extent` any.
inline constexpr std::int32_t dynamic_extent = INT32_MIN;
constexpr bool is_symbol(std::int32_t extent) { return extent < 0 && extent != dynamic_extent; }
constexpr std::int32_t symbol_extent(int symbol) { return -1 - symbol; }
constexpr int symbol_of(std::int32_t extent) { return -1 - extent; }

struct tile_type {
  dtype element = dtype::f32;
  std::int8_t rank = 0;
  std::int32_t extents[max_rank] = {};  // unused ones are 0
  constexpr bool operator==(const tile_type&) const = default;
};

struct symbol {
  // As in Dim: a name, or an expression over names that are symbols before it. Symbols are unique by it.
  char name[Dim::name_capacity] = {};
};

struct parameter_record {
  parameter_kind kind = parameter_kind::in;
  // Index into types: a whole tensor (In, Unique), this block's piece (outputs; dynamic: the whole axis), or rank 0
  // (Scalar).
  std::int32_t type = 0;
  combiner by = combiner::sum;  // of an Accum; else sum
};

// ---- Records -------------------------------------------------------------------------------------------------------
// `code` is a sequence of records: a header word, then operands, then attributes.
//   header = op | operand count << 8 | type << 16        type: index into types, or `no_type`
// A record's ordinal is the id of its value; operands name earlier values by id. A value is a *variable*: `assign`
// gives it a new value, `copy` makes another variable, so loops and branches need no joins here (bind makes SSA form).
// for_begin ... for_end, while_begin ... while_condition ... while_end and if_begin ... if_else ... if_end nest.
// Between while_begin and while_condition no variable made before is assigned.
// reduce_begin or scan_begin of n tiles (1 to 8, of one shape), n combiner_left, n combiner_right, the combiner,
// combiner_end and n combined stand in this order. The combiner has constants, copies and element-wise ops of rank 0
// alone, and assigns what it made itself; values from outside may be operands.
//
// Operands and attributes by op, where the table's counts do not say it all (e: an extent as above):
//   scalar       attribute: parameter index                extent, tiles   attributes: parameter, axis[, e of the tile]
//   for_begin    operands: from, to, step (index); attribute: 1 when .reduction() was promised; value: loop variable
//   block_id     attribute: axis                              dim_value       attribute: e
//   load         operands: a tile index per axis, then the pad value (rank-0 constant) when there is one
//                attributes: parameter, 1 when padded; type: the tile
//   load_window  as load, but that on each axis the tile begins at its index times a stride; attributes: as load, then
//                the stride e of each axis; 0 past the rank
//   load_piece, store, combine                                attribute: parameter
//   store_tile   operands: the tile, then a tile index for each whole axis of the piece, in order: the variable of a
//                loop of its own over all tiles of that axis; attribute: parameter
//   store_rows   operands: the tile, then rows (extents (R,1)): the block's tile of the indices, loaded at block_id 0
//                with the pad -1 and reshaped; attributes: parameter (Scatter), indices (Unique, one for each Scatter)
//   gather_rows  operands: rows (element index or an integer; extents (R,1)), column tile index (index, rank 0)
//                attribute: parameter; type: (R, C); row r of the result is row rows[r] of the tensor
//   gather       operands: an index (element index or an integer) per axis of the tensor, then the mask (bool) when
//                there is one; attributes: parameter, 1 when masked; type: the shapes of all operands joined
//   combine_at   operands: the tile, then as gather, of an Accum whose piece is the whole tensor; attributes: as gather
//   assertion    attribute: index into texts, or no_text
//   print        operands: what is shown; attribute: index into texts, of one with as many places (print_format.hpp)
//   constant     attributes: low and high word of 64 bits: an f64 for floating elements, else a two's complement i64
//   table        attributes: how many words follow, then of each element the two words as of constant
//   add, subtract, multiply, divide, sqrt, fma, rsqrt, exp2, tanh, minimum, maximum
//                                                             attribute: rounding; of other elements than f32 and f64 0
//   iota, reduce_*, argmax, cat                               attribute: axis
//   scan_begin   attributes as of scan_*                      combiner_left   attributes as of constant: the identity
//   scan_*       attributes: axis, 1 when it starts at the last element
//   mma          attribute: 1 for fast accumulation
//   permute      attribute: source axis of result axis i in bits 4i .. 4i+3
//   mma_scaled   operands: a, b, c, the scales of a, the scales of b
//   extract      attributes: position on each axis, in units of the result's extent; 0 past the rank
inline constexpr int no_type = 0xffff;
inline constexpr int no_text = -1;
constexpr std::int32_t header_word(op which, int operands, int type) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(which) | static_cast<std::uint32_t>(operands) << 8 |
                                   static_cast<std::uint32_t>(type) << 16);
}
constexpr op header_op(std::int32_t word) { return static_cast<op>(word & 0xff); }
constexpr int header_operands(std::int32_t word) { return (word >> 8) & 0xff; }
constexpr int header_type(std::int32_t word) {
  return static_cast<int>((static_cast<std::uint32_t>(word) >> 16) & 0xffffU);
}

// How many words of attributes begin where only `left` words of code are left; more than `left`: the code is cut off.
constexpr std::int64_t attribute_count(op which, const std::int32_t* first, std::int64_t left) {
  if (info(which).attributes != variadic) return info(which).attributes;
  return left > 0 && *first >= 0 ? 1 + std::int64_t{*first} : left + 1;
}

// One word per record: source line | index into files << 20. Apart from code: a comment never changes a kernel's hash.
constexpr std::int32_t location_word(int line, int file) { return (line & 0xfffff) | file << 20; }
constexpr int location_line(std::int32_t word) { return word & 0xfffff; }
constexpr int location_file(std::int32_t word) { return word >> 20; }

struct module_view {
  const char* name;  // for people; identity is the hash of the other arrays
  const std::int32_t* code;
  std::int32_t code_size;  // words
  const std::int32_t* locations;
  std::int32_t record_count;
  const tile_type* types;
  std::int32_t type_count;
  const symbol* symbols;
  std::int32_t symbol_count;
  const parameter_record* parameters;
  std::int32_t parameter_count;
  const char* files;  // names one after the other, each ended by zero
  std::int32_t files_size;
  const char* texts;  // that the kernel's author wrote for people, as files; code names them by number
  std::int32_t texts_size;
};

}  // namespace tilewright::ast
