// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/type_rules.hpp"

#include <algorithm>

namespace tilewright::compiler::tileir {

bool is_same(const bytecode& from, type_id a, type_id b) {
  if (a == b) return true;
  const type &x = from.types[a], &y = from.types[b];
  if (x.tag != y.tag || x.shape != y.shape || x.strides != y.strides || x.axes != y.axes) return false;
  if (x.sparse_axis != y.sparse_axis || x.pad != y.pad || x.memory != y.memory) return false;
  const bool has_element = x.tag >= type_tag::pointer && x.tag <= type_tag::partition_view;
  const bool is_other_view = x.tag == type_tag::gather_scatter_view || x.tag == type_tag::strided_view;
  if (has_element || is_other_view) return is_same(from, x.element, y.element);
  return x.tag != type_tag::function;  // no value has such a type
}

namespace {

// Bytes of one element in a constant: none for pointers and i4, which have no constants.
std::size_t constant_bytes(type_tag tag) {
  if (tag == type_tag::i4) return 0;
  if (tag == type_tag::tf32) return 3;
  return static_cast<std::size_t>((bits_of(tag) + 7) / 8);
}

}  // namespace

bool is_constant_of(const bytecode& from, const type& tile, const std::string& bytes) {
  const type_tag element = from.types[tile.element].tag;
  const std::size_t each = constant_bytes(element);
  std::size_t count = 1;
  for (const std::int64_t extent : tile.shape) count *= static_cast<std::size_t>(extent);
  const std::size_t all = element == type_tag::i1 ? (count + 7) / 8 : count * each;
  return each > 0 && (bytes.size() == each || bytes.size() == all);
}

bool is_integer(type_tag tag) { return tag <= type_tag::i64; }

bool is_arithmetic(type_tag tag) {
  return tag == type_tag::f16 || tag == type_tag::bf16 || tag == type_tag::f32 || tag == type_tag::f64;
}

namespace {

constexpr std::uint64_t approximate = 4, full = 5, no_unsigned_wrap = 2;

// ---- Operands and result of one type
const char* broken_same(const typed_operation& x) {
  if (!x.is_tile(x.result())) return "the result is no tile";
  for (const type_id id : x.operands) {
    if (!x.are_same(id, x.op.results[0])) return "an operand is of another type than the result";
  }
  return nullptr;
}

const char* broken_float(const typed_operation& x, unsigned flush_flag = 0) {
  if (const char* rule = broken_same(x)) return rule;
  const type_tag element = x.element(x.result());
  if (!is_arithmetic(element)) return "the elements are no floats that arithmetic takes";
  if (x.has_flag(flush_flag) && element != type_tag::f32) return "only f32 is flushed to zero";
  return nullptr;
}

// Rounding of addf, divf, ...: the first four everywhere, more for f32 alone.
const char* broken_rounded(const typed_operation& x, std::uint64_t greatest_for_f32) {
  if (const char* rule = broken_float(x)) return rule;
  const std::uint64_t rounding = x.op.fields[0];
  if (rounding < approximate) return nullptr;
  if (rounding > greatest_for_f32 || x.element(x.result()) != type_tag::f32) return "no such rounding of this element";
  return nullptr;
}

// exp, tanh: full, or for f32 approximate.
const char* broken_approximation(const typed_operation& x) {
  if (const char* rule = broken_float(x, 31)) return rule;
  const std::uint64_t rounding = x.op.fields[0];
  const bool is_known = rounding == full || (rounding == approximate && x.element(x.result()) == type_tag::f32);
  return is_known ? nullptr : "no such rounding of this element";
}

const char* broken_integer(const typed_operation& x) {
  if (const char* rule = broken_same(x)) return rule;
  return is_integer(x.element(x.result())) ? nullptr : "the elements are no integers";
}

const char* broken_division(const typed_operation& x) {
  if (const char* rule = broken_integer(x)) return rule;
  const std::uint64_t rounding = x.op.fields[1];
  if (rounding < 1 || rounding > 3) return "integer division rounds to zero, down or up";
  if (rounding == 2 && x.op.fields[0] == 0) return "only signed division rounds down";
  return nullptr;
}

// ---- Comparison and choice
const char* broken_comparison(const typed_operation& x) {
  if (!x.is_tile(x.operand(0)) || !x.are_same(x.operands[0], x.operands[1])) return "the operands are of two types";
  const type_tag element = x.element(x.operand(0));
  if (!(x.op.code == opcode::cmpf ? is_arithmetic(element) : is_integer(element))) return "no such elements";
  if (!x.is_condition(x.result()) || x.result().shape != x.operand(0).shape) return "the result is no i1 of the shape";
  return nullptr;
}

const char* broken_select(const typed_operation& x) {
  if (!x.is_tile(x.result()) || !x.is_condition(x.operand(0))) return "the condition is no tile of i1";
  if (x.operand(0).shape != x.result().shape) return "the condition is of another shape";
  if (!x.are_same(x.operands[1], x.op.results[0]) || !x.are_same(x.operands[2], x.op.results[0])) {
    return "a choice is of another type than the result";
  }
  return x.element(x.result()) == type_tag::f4e2m1fn ? "f4 cannot be chosen" : nullptr;
}

const char* broken_power(const typed_operation& x) {  // fpowi
  const type &base = x.operand(0), &exponent = x.operand(1);
  if (!x.is_tile(base) || !x.are_same(x.operands[0], x.op.results[0])) return "the result is of another type";
  if (!is_arithmetic(x.element(base))) return "the elements are no floats that arithmetic takes";
  const bool is_exponent = x.is_tile(exponent) && x.element(exponent) <= type_tag::i32 && exponent.shape == base.shape;
  return is_exponent ? nullptr : "the exponent is no integer of up to 32 bits and of the shape";
}

// ---- Facts, tokens and the rest
const char* broken_assumption(const typed_operation& x) {
  if (!x.are_same(x.operands[0], x.op.results[0])) return "the result is of another type";
  const type& t = x.operand(0);
  const attribute& fact = x.op.attributes[0];
  const bool is_number_tile = x.is_tile(t) && is_integer(x.element(t));
  const bool is_address = t.tag == type_tag::tensor_view || (x.is_tile(t) && x.element(t) == type_tag::pointer);
  if (fact.tag == attribute_tag::bounded) return is_number_tile ? nullptr : "only integers have bounds";
  if (!is_number_tile && !is_address) return "nothing is assumed of such a type";
  if (fact.tag == attribute_tag::same_elements) {
    return x.is_tile(t) && fact.groups.size() == t.shape.size() ? nullptr : "another number of groups than axes";
  }
  if (fact.tag != attribute_tag::divisible) return "no such assumption";
  if (!fact.first && !fact.second) return nullptr;
  if (!fact.first || !fact.second || !x.is_tile(t)) return "groups have a size and an axis, of a tile";
  const bool is_axis = *fact.second >= 0 && *fact.second < static_cast<std::int64_t>(t.shape.size());
  if (!is_axis) return "groups lie along an axis that the tile lacks";
  return *fact.first >= 0 && *fact.first <= t.shape[static_cast<std::size_t>(*fact.second)]
             ? nullptr
             : "a group exceeds the axis";
}

const char* broken_tokens(const typed_operation& x, std::size_t least, std::size_t most) {
  if (x.op.results.size() != 1 || !x.is_token(x.result())) return "the result is no token";
  if (x.operands.size() < least || x.operands.size() > most) return "another number of tokens";
  const auto is_token = [&](type_id id) { return x.is_token(x.at(id)); };
  return std::all_of(x.operands.begin(), x.operands.end(), is_token) ? nullptr : "an operand is no token";
}

const char* broken_block_position(const typed_operation& x) {
  for (std::size_t n = 0; n < 3; ++n) {
    if (!x.is_integer_scalar(x.result(n)) || x.element(x.result(n)) != type_tag::i32) return "a result is no i32";
  }
  return nullptr;
}

const char* broken_print(const typed_operation& x) {
  const std::size_t shown = x.op.groups[0];
  const std::string& format = x.from.strings[x.op.fields[0]];
  std::size_t items = 0;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') continue;
    if (at + 1 < format.size() && format[at + 1] == '%')
      ++at;
    else
      ++items;
  }
  if (items != shown) return "another number of values than the format shows";
  for (std::size_t n = 0; n < x.operands.size(); ++n) {
    if (n < shown ? !x.is_tile(x.operand(n)) : !x.is_token(x.operand(n))) return "a value is no tile, or a token none";
  }
  return x.op.results.empty() || (x.op.results.size() == 1 && x.is_token(x.result())) ? nullptr
                                                                                      : "the result is no token";
}

const char* broken_room(const typed_operation& x) {  // alloca
  if (!x.is_tile(x.result()) || x.element(x.result()) != type_tag::pointer) return "the result is no pointer";
  const std::uint64_t alignment = x.op.fields[1];
  if (x.op.fields[0] == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return "no such room";
  return nullptr;
}

const char* broken_global(const typed_operation& x) {
  return x.is_tile(x.result()) && x.result().shape.empty() && x.element(x.result()) == type_tag::pointer
             ? nullptr
             : "the result is no pointer";
}

const char* broken_constant(const typed_operation& x) {
  if (!x.is_tile(x.result())) return "the result is no tile";
  return is_constant_of(x.from, x.result(), x.from.constants[x.op.fields[0]])
             ? nullptr
             : "the constant has another size than its type";
}

}  // namespace

// clang-format off
const char* broken_rule(const typed_operation& x) {
  switch (x.op.code) {
    case opcode::absf: case opcode::ceil: case opcode::cos: case opcode::cosh: case opcode::floor: case opcode::log:
    case opcode::log2: case opcode::negf: case opcode::fpowf: case opcode::remf: case opcode::sin: case opcode::sinh:
    case opcode::tan: case opcode::atan2: return broken_float(x, 31);
    case opcode::exp2: case opcode::rsqrt: return broken_float(x);
    case opcode::maxf: case opcode::minf: return broken_float(x, 1);
    case opcode::addf: case opcode::subf: case opcode::mulf: case opcode::fma: return broken_rounded(x, 3);
    case opcode::divf: return broken_rounded(x, full);
    case opcode::sqrt: return broken_rounded(x, approximate);
    case opcode::exp: case opcode::tanh: return broken_approximation(x);
    case opcode::absi: case opcode::addi: case opcode::andi: case opcode::maxi: case opcode::mini:
    case opcode::mulhii: case opcode::muli: case opcode::ori: case opcode::remi: case opcode::shli: case opcode::shri:
    case opcode::subi: case opcode::xori: return broken_integer(x);
    case opcode::negi:
      return (x.op.fields[0] & no_unsigned_wrap) != 0 ? "negation has no unsigned overflow" : broken_integer(x);
    case opcode::divi: return broken_division(x);
    case opcode::cmpf: case opcode::cmpi: return broken_comparison(x);
    case opcode::select: return broken_select(x);
    case opcode::fpowi: return broken_power(x);
    case opcode::assume: return broken_assumption(x);
    case opcode::assert_: return x.is_condition(x.operand(0)) ? nullptr : "the condition is no tile of i1";
    case opcode::print: return broken_print(x);
    case opcode::get_tile_block_id: case opcode::get_num_tile_blocks: return broken_block_position(x);
    case opcode::get_global: return broken_global(x);
    case opcode::constant: return broken_constant(x);
    case opcode::alloca: return broken_room(x);
    case opcode::make_token: return broken_tokens(x, 0, 0);
    case opcode::join_tokens: return broken_tokens(x, 2, x.operands.size());
    case opcode::launch_dependents: case opcode::wait: return broken_tokens(x, 0, 1);
    case opcode::fence_alias: return broken_tokens(x, 1, 1);
    case opcode::bitcast: case opcode::exti: case opcode::trunci: case opcode::ftof: case opcode::ftoi:
    case opcode::itof: case opcode::int_to_ptr: case opcode::ptr_to_int: case opcode::ptr_to_ptr: case opcode::offset:
    case opcode::pack: case opcode::unpack: return broken_conversion(x);
    case opcode::broadcast: case opcode::cat: case opcode::extract: case opcode::insert: case opcode::iota:
    case opcode::permute: case opcode::reshape: return broken_shape(x);
    case opcode::mmaf: case opcode::mmai: case opcode::mmaf_scaled: return broken_product(x);
    case opcode::load_ptr: case opcode::store_ptr: case opcode::load_view: case opcode::store_view:
    case opcode::atomic_cas: case opcode::atomic_rmw: case opcode::atomic_red_view: case opcode::multimem_load_reduce:
    case opcode::multimem_reduce: case opcode::multimem_store: return broken_access(x);
    case opcode::make_tensor_view: case opcode::make_partition_view: case opcode::make_strided_view:
    case opcode::make_gather_scatter_view: case opcode::get_index_space_shape: case opcode::get_tensor_shape:
      return broken_view(x);
    case opcode::break_: case opcode::continue_: case opcode::yield: case opcode::return_: case opcode::for_:
    case opcode::loop: case opcode::if_: case opcode::reduce: case opcode::scan: return nullptr;  // see verify.cpp
  }
  return "no such operation";
}
// clang-format on

}  // namespace tilewright::compiler::tileir
