// SPDX-License-Identifier: Apache-2.0
// What the parts of the emitter share while one kernel is made: the program, the code so far, where each value of the
// program stands, and what is known of its tensors.
#pragma once

#include <optional>
#include <vector>

#include "compiler/diagnostics.hpp"
#include "compiler/tileir/code_builder.hpp"
#include "tilewright/compiler/program.hpp"
#include "tilewright/compiler/target.hpp"

namespace tilewright::compiler::tileir {

struct tensor_view_use {
  tile_shape tile, steps;  // rounded up, and from one tile to the next
  std::optional<padding> pad;
  value_number number = 0;
};

// A tensor parameter inside the kernel.
struct tensor_state {
  type_tag element = type_tag::i8;  // in memory: bool is a byte, index 64 bits
  type_tag index = type_tag::i64;   // of extents, strides and tile indices
  value_number base = 0;            // a pointer
  std::vector<code_value> extents, strides;
  code_value sharers;            // of an Accum: the grid's extent on the axis behind its own
  bool ends_on_vectors = false;  // rows, and rows of pieces, are whole groups of 16 bytes
  bool is_flattened = false;     // its tiles reach a reshape that merges axes
  bool is_read_after_store = false;
  type_id view_type = 0;
  value_number view = 0;
  std::vector<tensor_view_use> uses;
  bool is_ordered = false;            // InOut with several accesses, or combined in turn
  std::optional<value_number> token;  // of one that is ordered: the last access's
};

// The first check that failed, -1 for none, and the value that it got. Carried through loops and branches, for a write
// inside a loop would make its warps wait for each other.
struct fault_state {
  code_value check, got;  // i32, i64
};

struct kernel_state {
  kernel_state(const program& from, target made_for, bytecode& into)
      : source(from),
        where(made_for),
        ids(into),
        code(ids),
        values(from.values.size()),
        constants(from.values.size(), nullptr),
        deferred(from.values.size(), nullptr) {}

  const program& source;
  const target where;  // a GPU
  tables ids;
  code_builder code;
  diagnostics faults;
  std::vector<code_value> values;             // by value_id, but for constants
  std::vector<const instruction*> constants;  // by value_id: the constant, or null
  std::vector<const instruction*> deferred;   // by value_id: what its only user writes, or null
  std::vector<tensor_state> tensors;          // by parameter
  std::vector<code_value> scalars;            // by parameter
  std::vector<code_value> block_ids, block_counts;
  std::optional<value_number> status;      // pointer to the launch's fault_status, where there are checks
  fault_state fault;                       // there: what this block has found so far
  std::optional<value_number> printed;     // token of the line before, where the kernel prints: lines keep their order
  std::optional<value_number> after_wait;  // token of the wait for the kernel before: every access comes after it

  const value_type& type(value_id id) const { return source.values[static_cast<std::size_t>(id)]; }
  bool is_constant(value_id id) const { return constants[static_cast<std::size_t>(id)] != nullptr; }
  const instruction* deferred_at(value_id id) const { return deferred[static_cast<std::size_t>(id)]; }
  bool is_wide(value_id id) const;      // needs 64 bits as an index
  type_tag element(value_id id) const;  // in code
  tile_shape shape(value_id id) const;  // in code: rounded up
  tile_shape exact_shape(value_id id) const;
  void set(value_id id, const code_value& x);  // an index takes the width that the program's value has

  // The value in its own shape and element; with an element, an index of that width; with a shape, broadcast to it.
  code_value get(value_id id);
  code_value get(value_id id, type_tag element);
  code_value get(value_id id, type_tag element, const tile_shape& shape);

  void refuse(const instruction& i, std::string what, std::string fix);
};

std::int64_t rounded_up(std::int64_t extent);
tile_shape rounded_up(const tile_shape& exact);
type_tag element_in_code(dtype element, bool is_wide_index);
type_tag element_in_memory(dtype element);

// The bits of a program's constant word as an element.
std::uint64_t constant_bits(std::int64_t word, dtype element);

// Lanes that rounding added along the axis become `bits`: the neutral value of what follows.
code_value masked(kernel_state& state, const code_value& x, std::int64_t exact_extent, std::size_t axis,
                  std::uint64_t bits);

// ---- Fast math: what a schedule allows f32 (docs/architecture.md states the error bounds)
// Finds products that become part of a sum, and conversions that a store makes part by part.
void find_deferred(kernel_state& state);
// A sum of a deferred product as one fma; false if it has none.
bool emit_contracted(kernel_state& state, const instruction& i);

// ---- The parts, by what they emit
void emit_element_wise(kernel_state& state, const instruction& i);
void emit_along_axis(kernel_state& state, const instruction& i);  // reduce_*, argmax, scan_*
void emit_combined(kernel_state& state, const instruction& i);    // reduce_begin, scan_begin
void emit_product(kernel_state& state, const instruction& i);
void emit_shape(kernel_state& state, const instruction& i);   // iota, permute, reshape, broadcast, cat, extract
void emit_memory(kernel_state& state, const instruction& i);  // load, load_piece, gather_rows, gather, store
void emit_store_rows(kernel_state& state, const instruction& i);
void emit_combine(kernel_state& state, const instruction& i);
void emit_print(kernel_state& state, const instruction& i);
bool prints(const block& code);
void emit_position(kernel_state& state, const instruction& i);  // scalar, block_id, block_count, extent, tiles

// Parameters, assumptions and views, before the body. The types of the parameters.
std::vector<type_id> emit_entry(kernel_state& state);

}  // namespace tilewright::compiler::tileir
