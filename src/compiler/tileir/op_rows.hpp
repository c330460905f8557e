// SPDX-License-Identifier: Apache-2.0
// The operations of CUDA Tile IR bytecode as one table: writer, reader and printer are loops over its rows, and what
// differs between versions stands here and nowhere else.
#pragma once

#include <cstdint>
#include <string_view>

namespace tilewright::compiler::tileir {

// Columns: enumerator, mnemonic, number, least minor version (13.x), results, flags, attributes, operands, regions.
//   results    a digit: so many type ids; '*': a count, then type ids; '-': nothing; 'p': as '*', none before 13.2
//   flags      how many flag bits there are, then the minor version from which the field exists; "" for no field
//   attributes, operands: items in order. Before an item, ?n: only if flag bit n is set; >n: only from 13.n on, else
//              its default is meant.
//     attributes R rounding, O overflow, G signedness, M memory ordering, C memory scope, A atomic mode, P comparison
//                predicate, Q comparison ordering, U multimem reduction: one byte each; b bool byte; s string id;
//                i varint; k constant id; T attributes; p one attribute; h hints; B bools; L 32-bit integers
//     operands   v a value; n a count, then all operands; g a count, then that many (a group)
// clang-format off
#define TILEWRIGHT_FOR_EACH_TILEIR_OP(X)                                     \
  X(absf, "absf", 0, 1, "1", "", "", "v", 0)                                 \
  X(absi, "absi", 1, 1, "1", "", "", "v", 0)                                 \
  X(addf, "addf", 2, 1, "1", "11", "R", "vv", 0)                             \
  X(addi, "addi", 3, 1, "1", "", "O", "vv", 0)                               \
  X(andi, "andi", 4, 1, "1", "", "", "vv", 0)                                \
  X(assert_, "assert", 5, 1, "-", "", "s", "v", 0)                           \
  X(assume, "assume", 6, 1, "1", "", "p", "v", 0)                            \
  X(atomic_cas, "atomic_cas_tko", 7, 1, "2", "21", "MC", "vvv?0v?1v", 0)     \
  X(atomic_rmw, "atomic_rmw_tko", 8, 1, "2", "21", "MCA", "vv?0v?1v", 0)     \
  X(bitcast, "bitcast", 9, 1, "1", "", "", "v", 0)                           \
  X(break_, "break", 10, 1, "*", "", "", "n", 0)                             \
  X(broadcast, "broadcast", 11, 1, "1", "", "", "v", 0)                      \
  X(cat, "cat", 12, 1, "1", "", "i", "vv", 0)                                \
  X(ceil, "ceil", 13, 1, "1", "", "", "v", 0)                                \
  X(cmpf, "cmpf", 14, 1, "1", "", "PQ", "vv", 0)                             \
  X(cmpi, "cmpi", 15, 1, "1", "", "PG", "vv", 0)                             \
  X(constant, "constant", 16, 1, "1", "", "k", "", 0)                        \
  X(continue_, "continue", 17, 1, "*", "", "", "n", 0)                       \
  X(cos, "cos", 18, 1, "1", "", "", "v", 0)                                  \
  X(cosh, "cosh", 19, 1, "1", "", "", "v", 0)                                \
  X(divf, "divf", 20, 1, "1", "11", "R", "vv", 0)                            \
  X(divi, "divi", 21, 1, "1", "", "GR", "vv", 0)                             \
  X(exp, "exp", 23, 1, "1", "", ">3R", "v", 0)                               \
  X(exp2, "exp2", 24, 1, "1", "11", "", "v", 0)                              \
  X(exti, "exti", 37, 1, "1", "", "G", "v", 0)                               \
  X(extract, "extract", 38, 1, "*", "", "", "n", 0)                          \
  X(floor, "floor", 39, 1, "1", "", "", "v", 0)                              \
  X(fma, "fma", 40, 1, "1", "11", "R", "vvv", 0)                             \
  X(for_, "for", 41, 1, "*", "12", "", "n", 1)                               \
  X(ftof, "ftof", 42, 1, "1", "", "R", "v", 0)                               \
  X(ftoi, "ftoi", 43, 1, "1", "14", "GR", "v", 0)                            \
  X(get_global, "get_global", 44, 1, "1", "", "s", "", 0)                    \
  X(get_index_space_shape, "get_index_space_shape", 45, 1, "*", "", "", "v", 0) \
  X(get_num_tile_blocks, "get_num_tile_blocks", 46, 1, "3", "", "", "", 0)   \
  X(get_tensor_shape, "get_tensor_shape", 47, 1, "*", "", "", "v", 0)        \
  X(get_tile_block_id, "get_tile_block_id", 48, 1, "3", "", "", "", 0)       \
  X(if_, "if", 50, 1, "*", "", "", "v", 2)                                   \
  X(int_to_ptr, "int_to_ptr", 51, 1, "1", "", "", "v", 0)                    \
  X(iota, "iota", 58, 1, "1", "", "", "", 0)                                 \
  X(itof, "itof", 59, 1, "1", "", "GR", "v", 0)                              \
  X(join_tokens, "join_tokens", 60, 1, "*", "", "", "n", 0)                  \
  X(load_ptr, "load_ptr_tko", 61, 1, "2", "51", "M?0C?1h", "v?2v?3v?4v", 0)  \
  X(load_view, "load_view_tko", 62, 1, "*", "31", "M?0C?1h>4B", "vg?2v", 0)  \
  X(log, "log", 63, 1, "1", "", "", "v", 0)                                  \
  X(log2, "log2", 64, 1, "1", "", "", "v", 0)                                \
  X(loop, "loop", 65, 1, "*", "", "", "n", 1)                                \
  X(make_partition_view, "make_partition_view", 66, 1, "1", "", "", "v", 0)  \
  X(make_tensor_view, "make_tensor_view", 67, 1, "*", "", "", "vgg", 0)      \
  X(make_token, "make_token", 68, 1, "1", "", "", "", 0)                     \
  X(maxf, "maxf", 69, 1, "1", "21", "", "vv", 0)                             \
  X(maxi, "maxi", 70, 1, "1", "", "G", "vv", 0)                              \
  X(minf, "minf", 71, 1, "1", "21", "", "vv", 0)                             \
  X(mini, "mini", 72, 1, "1", "", "G", "vv", 0)                              \
  X(mmaf, "mmaf", 73, 1, "1", "13", "", "vvv", 0)                            \
  X(mmai, "mmai", 74, 1, "1", "", "GG", "vvv", 0)                            \
  X(mulf, "mulf", 76, 1, "1", "11", "R", "vv", 0)                            \
  X(mulhii, "mulhii", 77, 1, "1", "", "", "vv", 0)                           \
  X(muli, "muli", 78, 1, "1", "", "O", "vv", 0)                              \
  X(negf, "negf", 79, 1, "1", "", "", "v", 0)                                \
  X(negi, "negi", 80, 1, "1", "", ">2O", "v", 0)                             \
  X(offset, "offset", 81, 1, "1", "", "", "vv", 0)                           \
  X(ori, "ori", 82, 1, "1", "", "", "vv", 0)                                 \
  X(permute, "permute", 83, 1, "1", "", "L", "v", 0)                         \
  X(fpowf, "fpowf", 84, 1, "1", "", "", "vv", 0)                             \
  X(print, "print_tko", 85, 1, "p", "12", "s", "g?0v", 0)                    \
  X(ptr_to_int, "ptr_to_int", 86, 1, "1", "", "", "v", 0)                    \
  X(ptr_to_ptr, "ptr_to_ptr", 87, 1, "1", "", "", "v", 0)                    \
  X(reduce, "reduce", 88, 1, "*", "", "iT", "n", 1)                          \
  X(remf, "remf", 89, 1, "1", "", "", "vv", 0)                               \
  X(remi, "remi", 90, 1, "1", "", "G", "vv", 0)                              \
  X(reshape, "reshape", 91, 1, "1", "", "", "v", 0)                          \
  X(return_, "return", 92, 1, "*", "", "", "n", 0)                           \
  X(rsqrt, "rsqrt", 93, 1, "1", "11", "", "v", 0)                            \
  X(scan, "scan", 94, 1, "*", "", "ibT", "n", 1)                             \
  X(select, "select", 95, 1, "1", "", "", "vvv", 0)                          \
  X(shli, "shli", 96, 1, "1", "", "O", "vv", 0)                              \
  X(shri, "shri", 97, 1, "1", "", "G", "vv", 0)                              \
  X(sin, "sin", 98, 1, "1", "", "", "v", 0)                                  \
  X(sinh, "sinh", 99, 1, "1", "", "", "v", 0)                                \
  X(sqrt, "sqrt", 100, 1, "1", "11", "R", "v", 0)                            \
  X(store_ptr, "store_ptr_tko", 101, 1, "1", "41", "M?0C?1h", "vv?2v?3v", 0) \
  X(store_view, "store_view_tko", 102, 1, "*", "31", "M?0C?1h>4B", "vvg?2v", 0) \
  X(subf, "subf", 103, 1, "1", "11", "R", "vv", 0)                           \
  X(subi, "subi", 104, 1, "1", "", "O", "vv", 0)                             \
  X(tan, "tan", 105, 1, "1", "", "", "v", 0)                                 \
  X(tanh, "tanh", 106, 1, "1", "", ">2R", "v", 0)                            \
  X(trunci, "trunci", 107, 1, "1", "", "O", "v", 0)                          \
  X(xori, "xori", 108, 1, "1", "", "", "vv", 0)                              \
  X(yield, "yield", 109, 1, "*", "", "", "n", 0)                             \
  X(atan2, "atan2", 110, 2, "1", "", "", "vv", 0)                            \
  X(pack, "pack", 111, 3, "1", "", "", "v", 0)                               \
  X(unpack, "unpack", 112, 3, "1", "", "", "v", 0)                           \
  X(alloca, "alloca", 113, 3, "1", "13", "ii", "", 0)                        \
  X(mmaf_scaled, "mmaf_scaled", 114, 3, "1", "", "", "vvvvv", 0)             \
  X(make_gather_scatter_view, "make_gather_scatter_view", 115, 3, "1", "", "", "v", 0) \
  X(make_strided_view, "make_strided_view", 116, 3, "1", "", "", "v", 0)     \
  X(atomic_red_view, "atomic_red_view_tko", 117, 3, "*", "13", "MCA>5B", "vgv?0v", 0) \
  X(insert, "insert", 118, 4, "*", "", "", "n", 0)                           \
  X(launch_dependents, "gdc_launch_dependents_tko", 119, 4, "1", "", "", "n", 0) \
  X(wait, "gdc_wait_tko", 120, 4, "1", "", "", "n", 0)                       \
  X(fpowi, "fpowi", 121, 4, "1", "", "", "vv", 0)                            \
  X(fence_alias, "memory_fence_alias_tko", 122, 4, "1", "", "", "v", 0)      \
  X(multimem_load_reduce, "multimem_load_reduce_view_tko", 123, 5, "*", "25", "M?0CUB", "vg?1v", 0) \
  X(multimem_reduce, "multimem_reduce_view_tko", 124, 5, "*", "15", "MCUB", "vvg?0v", 0) \
  X(multimem_store, "multimem_store_view_tko", 125, 5, "*", "25", "M?0CB", "vvg?1v", 0)
// clang-format on

enum class opcode : std::uint8_t {
#define TILEWRIGHT_TILEIR_OP(name, mnemonic, number, ...) name = number,
  TILEWRIGHT_FOR_EACH_TILEIR_OP(TILEWRIGHT_TILEIR_OP)
#undef TILEWRIGHT_TILEIR_OP
};

struct op_row {
  opcode code;
  const char* mnemonic;
  int least_minor;
  char results;
  std::string_view flags, attributes, operands;
  int regions;

  int flag_bits() const { return flags.empty() ? 0 : flags[0] - '0'; }
  bool has_flags(int minor) const { return !flags.empty() && minor >= flags[1] - '0'; }
};

// Null for a number that no operation has.
const op_row* find_row(std::uint64_t number);
const op_row& row_of(opcode code);

// Whether it ends a block.
constexpr bool is_terminator(opcode code) {
  return code == opcode::return_ || code == opcode::yield || code == opcode::continue_ || code == opcode::break_;
}

// One item of a row's attributes or operands.
struct row_item {
  char kind = 0;
  int flag = -1;        // bit that says whether it is there; -1: always
  int least_minor = 1;  // written only from 13.this on

  bool is_present(std::uint32_t flags, int minor) const {
    return minor >= least_minor && (flag < 0 || (flags >> flag & 1U) != 0);
  }
};

// The items of a column: for (item_cursor items(row.operands); items.next();) use(items.item()).
class item_cursor {
 public:
  explicit item_cursor(std::string_view column) : left_(column) {}
  bool next();
  const row_item& item() const { return item_; }

 private:
  std::string_view left_;
  row_item item_;
};

// Names of a byte-sized attribute's values, by kind; an empty list for a kind that is none.
struct name_list {
  const char* const* names = nullptr;
  int count = 0;
};
name_list names_of(char kind);

// What an absent or not yet versioned attribute means.
constexpr std::uint64_t rounding_full = 5;
constexpr std::uint64_t default_of(const row_item& item) {
  return item.kind == 'R' && item.least_minor > 1 ? rounding_full : 0;
}

}  // namespace tilewright::compiler::tileir
