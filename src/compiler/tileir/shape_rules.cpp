// SPDX-License-Identifier: Apache-2.0
// Rules of conversions, of operations that move elements, and of products.
#include <algorithm>
#include <vector>

#include "compiler/tileir/type_rules.hpp"

namespace tilewright::compiler::tileir {
namespace {

std::int64_t elements_of(const type& t) {
  std::int64_t count = 1;
  for (const std::int64_t extent : t.shape) count *= extent;
  return count;
}

bool is_float(type_tag tag) { return is_number(tag) && !is_integer(tag) && tag != type_tag::i4; }
bool is_small_float(type_tag tag) {
  return tag == type_tag::f8e4m3fn || tag == type_tag::f8e5m2 || tag == type_tag::f4e2m1fn ||
         tag == type_tag::f8e5m3fnu;
}

// Bit n: rounding n may be asked for. The first rule that fits, as the format notes give them.
unsigned float_roundings(type_tag from, type_tag to) {
  constexpr unsigned even = 1, zero = 2, down = 4, up = 8, away = 128;
  const auto is_half = [](type_tag tag) { return tag == type_tag::f16 || tag == type_tag::bf16; };
  if (to == type_tag::f8e8m0fnu) return zero | up;
  if (is_small_float(to)) return even;
  if (from == type_tag::f64 && to == type_tag::f32) return even | zero | down | up;
  if (from == type_tag::f32 && to == type_tag::tf32) return even | zero | away;
  const bool is_wide = from == type_tag::f64 || from == type_tag::f32 || from == type_tag::tf32;
  if ((is_wide || is_half(from)) && is_half(to)) return even | zero;
  if (from == type_tag::f64 && to == type_tag::tf32) return even | zero;
  if (from == type_tag::f8e8m0fnu && to != type_tag::f64) return even | zero;
  if (from == type_tag::f8e5m3fnu && to == type_tag::f16) return even | zero;
  return even | zero | down | up | away;
}

const char* broken_element_conversion(opcode code, type_tag from, type_tag to, const operation& op) {
  const auto is_any_integer = [](type_tag tag) { return is_integer(tag) || tag == type_tag::i4; };
  constexpr std::uint64_t to_nearest_int = 6;
  switch (code) {
    case opcode::exti:
      if (!is_any_integer(from) || !is_any_integer(to)) return "the elements are no integers";
      return bits_of(from) < bits_of(to) ? nullptr : "the result is no wider";
    case opcode::trunci:
      if (!is_any_integer(from) || !is_any_integer(to)) return "the elements are no integers";
      return bits_of(from) > bits_of(to) ? nullptr : "the result is no narrower";
    case opcode::ftof:
      if (!is_float(from) || !is_float(to) || from == to) return "no conversion of one float to another";
      return (float_roundings(from, to) >> op.fields[0] & 1U) != 0 ? nullptr : "no such rounding of this conversion";
    case opcode::ftoi:
      if (!is_float(from) || !is_integer(to)) return "no conversion of a float to an integer";
      return op.fields[1] == to_nearest_int ? nullptr : "floats become integers by rounding to zero";
    case opcode::itof:
      if (!is_integer(from) || !is_float(to) || to == type_tag::f8e8m0fnu) return "no conversion of an integer";
      return op.fields[1] == 0 ? nullptr : "integers become floats by rounding to nearest";
    case opcode::bitcast:
      if (!is_number(from) || !is_number(to)) return "only bits of numbers are taken for others";
      return bits_of(from) == bits_of(to) ? nullptr : "the elements differ in width";
    case opcode::int_to_ptr:
      return from == type_tag::i64 && to == type_tag::pointer ? nullptr : "pointers are made of i64";
    case opcode::ptr_to_int:
      return from == type_tag::pointer && to == type_tag::i64 ? nullptr : "pointers become i64";
    default:
      return from == type_tag::pointer && to == type_tag::pointer ? nullptr : "no pointers";
  }
}

const char* broken_packing(const typed_operation& x) {
  const type& bytes = x.op.code == opcode::pack ? x.result() : x.operand(0);
  const type& numbers = x.op.code == opcode::pack ? x.operand(0) : x.result();
  if (bytes.shape.size() != 1 || x.element(bytes) != type_tag::i8) return "the bytes are no i8 tile of rank 1";
  if (numbers.shape.size() != 1 || !is_number(x.element(numbers))) return "the numbers are no tile of rank 1";
  return elements_of(numbers) * bits_of(x.element(numbers)) == 8 * elements_of(bytes) ? nullptr : "another size";
}

// Scalars of i32, one for each axis, from operand `first` on.
const char* broken_places(const typed_operation& x, std::size_t first, std::size_t axes) {
  if (x.operands.size() != first + axes) return "another number of places than axes";
  for (std::size_t n = first; n < x.operands.size(); ++n) {
    if (!x.is_integer_scalar(x.operand(n)) || x.element(x.operand(n)) != type_tag::i32) return "a place is no i32";
  }
  return nullptr;
}

const char* broken_part(const typed_operation& x, const type& whole, const type& part) {
  if (!x.are_same(whole.element, part.element)) return "the elements differ";
  if (whole.shape.size() != part.shape.size()) return "the ranks differ";
  for (std::size_t axis = 0; axis < whole.shape.size(); ++axis) {
    if (whole.shape[axis] % part.shape[axis] != 0) return "the part is no fraction of the whole";
  }
  return nullptr;
}

const char* broken_extract(const typed_operation& x) {
  const bool is_insert = x.op.code == opcode::insert;
  if (x.op.results.size() != 1 || x.operands.size() < (is_insert ? 2 : 1)) return "operands or the result are missing";
  const type& whole = x.operand(is_insert ? 1 : 0);
  const type& part = is_insert ? x.operand(0) : x.result();
  if (!x.is_tile(whole) || !x.is_tile(part) || !x.is_tile(x.result())) return "no tiles";
  if (is_insert && !x.are_same(x.operands[1], x.op.results[0])) return "the result is of another type";
  if (const char* rule = broken_part(x, whole, part)) return rule;
  return broken_places(x, is_insert ? 2 : 1, whole.shape.size());
}

const char* broken_broadcast(const type& from, const type& to) {
  if (from.shape.size() != to.shape.size()) return "the ranks differ";
  for (std::size_t axis = 0; axis < to.shape.size(); ++axis) {
    if (from.shape[axis] != 1 && from.shape[axis] != to.shape[axis]) return "an extent that is not 1 changes";
  }
  return nullptr;
}

const char* broken_permute(const std::vector<std::int64_t>& axes, const type& from, const type& to) {
  const std::size_t rank = from.shape.size();
  if (rank < 2 || axes.size() != rank || to.shape.size() != rank) return "another number of axes";
  std::vector<bool> is_used(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto place = static_cast<std::size_t>(axes[axis]);
    if (axes[axis] < 0 || place >= rank || is_used[place]) return "the axes are no permutation";
    is_used[place] = true;
    if (to.shape[axis] != from.shape[place]) return "the result's extents are not those of the axes";
  }
  return nullptr;
}

const char* broken_cat(const typed_operation& x) {
  const type &left = x.operand(0), &right = x.operand(1), &whole = x.result();
  if (!x.is_tile(right) || !x.are_same(left.element, right.element)) return "the elements differ";
  std::vector<std::int64_t> joined = left.shape;
  const std::uint64_t axis = x.op.fields[0];
  if (axis >= joined.size() || right.shape.size() != joined.size()) return "no such axis";
  for (std::size_t n = 0; n < joined.size(); ++n) {
    if (n != axis && joined[n] != right.shape[n]) return "the extents beside the axis differ";
  }
  joined[axis] += right.shape[axis];
  return joined == whole.shape ? nullptr : "the result's extents are not those of both parts";
}

const char* broken_iota(const typed_operation& x) {
  if (!x.is_tile(x.result()) || x.result().shape.size() != 1) return "the result is no tile of rank 1";
  const type_tag element = x.element(x.result());
  if (!is_integer(element)) return "the elements are no integers";
  const int bits = bits_of(element);
  return bits >= 32 || x.result().shape[0] <= std::int64_t{1} << bits ? nullptr : "the element cannot count so far";
}

// ---- Products
const char* broken_extents(const type& a, const type& b, const type& c) {
  const std::size_t rank = c.shape.size();
  if (rank < 2 || rank > 3 || a.shape.size() != rank || b.shape.size() != rank) return "the ranks are not 2 or 3";
  const bool is_batch = rank == 2 || (a.shape[0] == c.shape[0] && b.shape[0] == c.shape[0]);
  const std::size_t row = rank - 2, column = rank - 1;
  if (!is_batch || a.shape[row] != c.shape[row] || b.shape[column] != c.shape[column] ||
      a.shape[column] != b.shape[row]) {
    return "the extents do not go together";
  }
  return nullptr;
}

bool is_product_of(type_tag factor, type_tag sum) {
  switch (factor) {
    case type_tag::f16:
    case type_tag::f8e4m3fn:
    case type_tag::f8e5m2:
      return sum == type_tag::f16 || sum == type_tag::f32;
    case type_tag::bf16:
    case type_tag::tf32:
    case type_tag::f32:
      return sum == type_tag::f32;
    case type_tag::f64:
      return sum == type_tag::f64;
    default:
      return false;
  }
}

}  // namespace

const char* broken_conversion(const typed_operation& x) {
  if (!x.is_tile(x.operand(0)) || !x.is_tile(x.result())) return "operand or result is no tile";
  if (x.op.code == opcode::pack || x.op.code == opcode::unpack) return broken_packing(x);
  if (x.operand(0).shape != x.result().shape) return "the shapes differ";
  const type_tag from = x.element(x.operand(0)), to = x.element(x.result());
  if (const char* rule = broken_element_conversion(x.op.code, from, to, x.op)) return rule;
  if (x.op.code != opcode::offset) return nullptr;
  if (!x.are_same(x.operands[0], x.op.results[0])) return "the result points to something else";
  const type& steps = x.operand(1);
  return x.is_tile(steps) && is_integer(x.element(steps)) && steps.shape == x.result().shape
             ? nullptr
             : "the offsets are no integers of the shape";
}

const char* broken_shape(const typed_operation& x) {
  if (x.op.code == opcode::iota) return broken_iota(x);
  if (x.op.code == opcode::extract || x.op.code == opcode::insert) return broken_extract(x);
  const type &from = x.operand(0), &to = x.result();
  if (!x.is_tile(from) || !x.is_tile(to)) return "operand or result is no tile";
  if (!x.are_same(from.element, to.element)) return "the elements differ";
  if (x.op.code == opcode::broadcast) return broken_broadcast(from, to);
  if (x.op.code == opcode::permute) return broken_permute(x.op.list, from, to);
  if (x.op.code == opcode::cat) return broken_cat(x);
  return elements_of(from) == elements_of(to) ? nullptr : "the number of elements changes";
}

const char* broken_product(const typed_operation& x) {
  const auto is_tile = [&](type_id id) { return x.is_tile(x.at(id)); };
  if (!std::all_of(x.operands.begin(), x.operands.end(), is_tile)) return "an operand is no tile";
  if (!x.are_same(x.operands[2], x.op.results[0])) return "the sum is of another type than the result";
  if (const char* rule = broken_extents(x.operand(0), x.operand(1), x.operand(2))) return rule;
  const type_tag left = x.element(x.operand(0)), right = x.element(x.operand(1)), sum = x.element(x.operand(2));
  if (left != right) return "the factors' elements differ";
  if (x.op.code == opcode::mmai) {
    return left == type_tag::i8 && sum == type_tag::i32 ? nullptr : "only i8 is multiplied, to i32";
  }
  if (x.op.code == opcode::mmaf) return is_product_of(left, sum) ? nullptr : "there is no product of these elements";
  const bool is_scaled = left == type_tag::f8e4m3fn || left == type_tag::f8e5m2 || left == type_tag::f4e2m1fn;
  if (!is_scaled || sum != type_tag::f32) return "there is no scaled product of these elements";
  return x.are_same(x.operand(3).element, x.operand(4).element) ? nullptr : "the scales' elements differ";
}

}  // namespace tilewright::compiler::tileir
