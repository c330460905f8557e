// SPDX-License-Identifier: Apache-2.0
// The rules of single operations: what each asks of the types of its operands and results and of its attributes. What
// ties an operation to the regions around and inside it stands in verify.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {

// The same type, wherever it stands in the table.
bool is_same(const bytecode& from, type_id a, type_id b);

// Whether the bytes are those of a tile of the type: of each element, or of one for all.
bool is_constant_of(const bytecode& from, const type& tile, const std::string& bytes);

bool is_integer(type_tag tag);     // that arithmetic takes: not i4
bool is_arithmetic(type_tag tag);  // a float that arithmetic takes: not f8, f4, tf32

// An operation with the types of its operands.
struct typed_operation {
  const bytecode& from;
  const operation& op;
  const std::vector<type_id>& operands;

  const type& at(type_id id) const { return from.types[id]; }
  const type& operand(std::size_t n) const { return at(operands[n]); }
  const type& result(std::size_t n = 0) const { return at(op.results[n]); }
  bool is_tile(const type& t) const { return t.tag == type_tag::tile; }
  type_tag element(const type& t) const { return from.types[t.element].tag; }
  // A tile of rank 0 with an integer element.
  bool is_integer_scalar(const type& t) const { return is_tile(t) && t.shape.empty() && is_integer(element(t)); }
  bool is_condition(const type& t) const { return is_tile(t) && element(t) == type_tag::i1; }
  bool is_token(const type& t) const { return t.tag == type_tag::token; }
  bool has_flag(unsigned bit) const { return (op.flags >> bit & 1U) != 0; }
  bool are_same(type_id a, type_id b) const { return is_same(from, a, b); }
};

// The rule that is broken; null for none. The counts of operands and results that the operation's row fixes hold.
const char* broken_rule(const typed_operation& x);

// ---- The parts, by what they look at
const char* broken_conversion(const typed_operation& x);  // exti, trunci, ftof, ftoi, itof, bitcast, pointers, pack
const char* broken_shape(const typed_operation& x);       // broadcast, reshape, permute, cat, extract, insert, iota
const char* broken_product(const typed_operation& x);     // mmaf, mmai, mmaf_scaled
const char* broken_access(const typed_operation& x);      // loads, stores, atomics, multimem
const char* broken_view(const typed_operation& x);        // make_*_view, get_*_shape

}  // namespace tilewright::compiler::tileir
