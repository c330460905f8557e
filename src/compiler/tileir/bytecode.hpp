// SPDX-License-Identifier: Apache-2.0
// A CUDA Tile IR file in memory: the tables and kernels of one module, as plain values. The emitter fills it, the
// writer makes bytes of it, the reader gives it back, the printer shows it. Ids are positions in the module's tables.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "compiler/tileir/op_rows.hpp"

namespace tilewright::compiler::tileir {

using type_id = std::uint32_t;
using string_id = std::uint32_t;
using value_number = std::uint32_t;  // per kernel: parameters first, then results in order; 2.8 of the format notes

inline constexpr int least_minor = 1, greatest_minor = 5;  // of version 13
inline constexpr std::int64_t dynamic = std::numeric_limits<std::int64_t>::min();

enum class type_tag : std::uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  f16,
  bf16,
  f32,
  tf32,
  f64,
  f8e4m3fn,
  f8e5m2,
  pointer,
  tile,
  tensor_view,
  partition_view,
  function,
  token,
  f8e8m0fnu,
  f4e2m1fn,
  gather_scatter_view,
  strided_view,
  i4,
  f8e5m3fnu = 130
};

enum class padding : std::uint8_t { zero, negative_zero, nan, positive_infinity, negative_infinity };

struct type {
  type_tag tag = type_tag::i1;
  type_id element = 0;                // pointee; element of a tile or tensor view; tensor view of another view
  std::vector<std::int64_t> shape;    // tile, tensor view; of another view: its tile
  std::vector<std::int64_t> strides;  // tensor view, strided view
  std::vector<std::int32_t> axes;     // partition and strided views: tensor axis of each tile axis
  std::uint32_t sparse_axis = 0;      // gather_scatter_view
  std::optional<padding> pad;
  std::optional<std::uint8_t> memory;        // 13.4: pointers and tensor views, 1 unicast, 2 multicast
  std::vector<type_id> parameters, results;  // function
  bool operator==(const type&) const = default;
};

// Bits of a number type; 0 for any other.
int bits_of(type_tag tag);
const char* name_of(type_tag tag);
bool is_number(type_tag tag);

enum class attribute_tag : std::uint8_t {
  integer = 1,
  floating,
  boolean,
  type,
  string,
  array,
  dense,
  divisible,
  same_elements,
  dictionary,
  hints,
  bounded
};

struct attribute {
  attribute_tag tag = attribute_tag::integer;
  type_id of_type = 0;
  std::uint64_t word = 0;                     // integer or float bits, bool, string or constant id, divisor
  std::optional<std::int64_t> first, second;  // divisible: every, along; bounded: lower, upper
  std::vector<std::int64_t> groups;           // same_elements
  std::vector<string_id> keys;                // dictionary, hints
  std::vector<attribute> items;               // array, dictionary, hints
  bool operator==(const attribute&) const = default;
};

struct operation;

struct region {
  std::vector<type_id> arguments;
  std::vector<operation> body;
  bool has_block = true;  // false: the else region of an `if` that has no else
  bool operator==(const region&) const;
};

struct operation {
  opcode code = opcode::return_;
  std::vector<type_id> results;
  std::uint32_t flags = 0;
  std::vector<std::uint64_t> fields;   // every one-word attribute of the row in order, absent ones too
  std::vector<attribute> attributes;   // T, p and h of the row, where present
  std::vector<std::int64_t> list;      // B or L of the row
  std::vector<value_number> operands;  // all, in order
  std::vector<std::uint32_t> groups;   // sizes of the row's g items
  std::vector<region> regions;
  std::uint32_t location = 0;  // debug id, 0 unknown
  bool operator==(const operation&) const = default;
};

struct kernel {
  string_id name = 0;
  type_id signature = 0;
  bool is_private = false;
  bool has_location = false;
  std::uint32_t location = 0;        // debug id
  std::optional<attribute> hints;    // tag hints
  std::vector<attribute> arguments;  // 13.5
  std::vector<operation> body;
  bool operator==(const kernel&) const = default;
};

struct global {
  string_id name = 0;
  type_id of_type = 0;
  std::uint32_t constant = 0;
  std::uint64_t alignment = 0;
  bool is_private = false;
  bool is_constant = false;
  bool operator==(const global&) const = default;
};

// Fields by tag (2.7): 0 none; 1 file; 2 name, folder; 3 scope, file, line, column; 4 scope, path, line, column;
// 5 file, line, name, linkage name, unit, scope line; 6 callee, caller.
struct debug_attribute {
  std::uint8_t tag = 0;
  std::vector<std::uint64_t> fields;
  bool operator==(const debug_attribute&) const = default;
};

struct bytecode {
  int minor = 3;
  std::uint16_t tag = 0;
  std::vector<type> types;
  std::vector<std::string> strings;
  std::vector<std::string> constants;
  std::vector<kernel> kernels;
  std::vector<global> globals;
  std::vector<debug_attribute> debug;  // id 1 is the first
  std::optional<string_id> producer;
  bool operator==(const bytecode&) const = default;
};

// Fields of debug attributes by tag: 's' string, 'd' debug id, 'n' number. Null for no such tag.
const char* debug_fields(std::uint64_t tag);

// Operations of a kernel, those inside regions included.
std::size_t operation_count(const std::vector<operation>& body);

}  // namespace tilewright::compiler::tileir
