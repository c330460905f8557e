// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/integer_code.hpp"

#include <cstdint>

#include "compiler/cpu/division_code.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using ir::compare;
using ir::module_builder;
using ir::value;

value shift_left(module_builder& code, value a, value b) {
  const ir::type t = code.type_of(a);
  // A count past the width is poison in the shift, which the selection drops.
  const value in_width = code.compare_integers(compare::unsigned_less, b, code.integer(t, ir::bits_of(t.scalar)));
  return code.select(in_width, code.shift_left(a, b), code.integer(t, 0));
}

value shift_right(module_builder& code, bool is_signed, value a, value b) {
  const ir::type t = code.type_of(a);
  const int width = ir::bits_of(t.scalar);
  if (is_signed) {
    return code.shift_right_arithmetic(a, code.unsigned_minimum(b, code.integer(t, width - 1)));
  }
  const value in_width = code.compare_integers(compare::unsigned_less, b, code.integer(t, width));
  return code.select(in_width, code.shift_right_logical(a, b), code.integer(t, 0));
}

// In twice the width where there is such a type. 64 bits are multiplied in halves as unsigned; a negative factor then
// counts as 2^64 more than it is.
value multiply_high(module_builder& code, bool is_signed, value a, value b) {
  const ir::type t = code.type_of(a);
  const int width = ir::bits_of(t.scalar);
  if (width < 64) {
    const ir::scalar_type wide = width == 8    ? ir::scalar_type::i16
                                 : width == 16 ? ir::scalar_type::i32
                                               : ir::scalar_type::i64;
    const auto widened = [&](value v) { return is_signed ? code.sign_extend(v, wide) : code.zero_extend(v, wide); };
    const value product = code.multiply(widened(a), widened(b));
    return code.truncate(code.shift_right_logical(product, code.integer(t.of(wide), width)), t.scalar);
  }
  const value half = code.integer(t, 32);
  const auto low = [&](value v) { return code.bit_and(v, code.integer(t, 0xffffffff)); };
  const auto high = [&](value v) { return code.shift_right_logical(v, half); };
  const value first = code.multiply(low(a), high(b)), second = code.multiply(high(a), low(b));
  const value carried = high(code.multiply(low(a), low(b)));
  const value middle = code.add(code.add(carried, low(first)), low(second));
  value result = code.add(code.multiply(high(a), high(b)), high(first));
  result = code.add(code.add(result, high(second)), high(middle));
  if (!is_signed) return result;
  const value last = code.integer(t, 63);
  result = code.subtract(result, code.bit_and(code.shift_right_arithmetic(a, last), b));
  return code.subtract(result, code.bit_and(code.shift_right_arithmetic(b, last), a));
}

compare comparison_of(op which, bool is_signed) {
  switch (which) {
    case op::less:
      return is_signed ? compare::less : compare::unsigned_less;
    case op::less_equal:
      return is_signed ? compare::less_equal : compare::unsigned_less_equal;
    case op::greater:
      return is_signed ? compare::greater : compare::unsigned_greater;
    case op::greater_equal:
      return is_signed ? compare::greater_equal : compare::unsigned_greater_equal;
    case op::equal:
      return compare::equal;
    default:
      return compare::not_equal;
  }
}

}  // namespace

value integer_unary(module_builder& code, op which, bool is_signed, value a) {
  const ir::type t = code.type_of(a);
  if (which == op::bit_not) return code.bit_not(a);
  const value negated = code.subtract(code.integer(t, 0), a);
  if (which == op::negate) return negated;
  require_internal(which == op::absolute, "an op that no integer has");
  if (!is_signed) return a;
  return code.select(code.compare_integers(compare::less, a, code.integer(t, 0)), negated, a);
}

value integer_binary(module_builder& code, op which, bool is_signed, value a, value b) {
  switch (which) {
    case op::add:
      return code.add(a, b);
    case op::subtract:
      return code.subtract(a, b);
    case op::multiply:
      return code.multiply(a, b);
    case op::divide:
    case op::remainder:
    case op::floor_div:
    case op::floor_mod:
      return divide_integers(code, which, is_signed, a, b);
    case op::minimum:
      return is_signed ? code.signed_minimum(a, b) : code.unsigned_minimum(a, b);
    case op::maximum:
      return is_signed ? code.signed_maximum(a, b) : code.unsigned_maximum(a, b);
    case op::multiply_high:
      return multiply_high(code, is_signed, a, b);
    case op::bit_and:
      return code.bit_and(a, b);
    case op::bit_or:
      return code.bit_or(a, b);
    case op::bit_xor:
      return code.bit_xor(a, b);
    case op::shift_left:
      return shift_left(code, a, b);
    case op::shift_right:
      return shift_right(code, is_signed, a, b);
    default:
      break;
  }
  require_internal(false, "a binary op that no integer has");
  return a;
}

value integer_comparison(module_builder& code, op which, bool is_signed, value a, value b) {
  return code.compare_integers(comparison_of(which, is_signed), a, b);
}

}  // namespace tilewright::compiler
