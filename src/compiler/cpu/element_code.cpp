// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/element_code.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "compiler/cpu/convert_code.hpp"
#include "compiler/cpu/integer_code.hpp"
#include "compiler/cpu/math_code.hpp"
#include "compiler/cpu/rounding_code.hpp"
#include "compiler/rounded_semantics.hpp"
#include "compiler/scalar_semantics.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using ast::op_category;
using ir::compare;
using ir::module_builder;
using ir::scalar_type;
using ir::value;

bool is_narrow_float(dtype element) { return element == dtype::f16 || element == dtype::bf16; }

ir::type bits_of_float(ir::type t) { return t.of(t.scalar == scalar_type::f64 ? scalar_type::i64 : scalar_type::i32); }

// What is known of an operand of minimum or maximum.
struct known_operand {
  bool is_number = false;  // a constant, not NaN
  bool is_zero = false;
  bool is_negative = false;
};

known_operand known(module_builder& code, value v) {
  const ir::type t = code.type_of(v);
  std::int64_t word = 0;
  if (!code.constant_value(code.bit_cast(v, bits_of_float(t)), word)) return {};
  const auto narrow = static_cast<std::int32_t>(word);
  const double number =
      t.scalar == scalar_type::f64 ? std::bit_cast<double>(word) : static_cast<double>(std::bit_cast<float>(narrow));
  return {!std::isnan(number), number == 0, std::signbit(number)};
}

// The processor's operation gives its second operand for equal ones and for NaN. Both orders of it differ only in the
// sign of zeros, or when one operand is NaN: then both exponents together are all ones, so that `or` keeps a NaN.
value float_minimum(module_builder& code, value a, value b) {
  const ir::type t = code.type_of(a), bits = bits_of_float(t);
  const value first = code.lesser_or_second(a, b), second = code.lesser_or_second(b, a);
  return code.bit_cast(code.bit_or(code.bit_cast(first, bits), code.bit_cast(second, bits)), t);
}

value float_maximum(module_builder& code, value a, value b) {
  const ir::type t = code.type_of(a), bits = bits_of_float(t);
  const value first = code.bit_cast(code.greater_or_second(a, b), bits);
  const value second = code.bit_cast(code.greater_or_second(b, a), bits);
  const value is_nan = code.compare_floats(compare::unordered, a, b);
  return code.bit_cast(code.select(is_nan, code.bit_or(first, second), code.bit_and(first, second)), t);
}

// With a constant the processor's operation is nearly all. Only a zero that wins has to be its second operand.
value float_extreme(module_builder& code, bool is_maximum, value a, value b) {
  const auto chosen = [&](value x, value y) {
    return is_maximum ? code.greater_or_second(x, y) : code.lesser_or_second(x, y);
  };
  for (int order = 0; order < 2; ++order, std::swap(a, b)) {
    const known_operand constant = known(code, b);
    if (!constant.is_number) continue;
    if (!constant.is_zero || constant.is_negative == is_maximum) return chosen(b, a);
    return code.select(code.compare_floats(compare::unordered, a, a), a, chosen(a, b));
  }
  return is_maximum ? float_maximum(code, a, b) : float_minimum(code, a, b);
}

value float_binary(module_builder& code, op which, value a, value b) {
  switch (which) {
    case op::add:
      return code.float_add(a, b);
    case op::subtract:
      return code.float_subtract(a, b);
    case op::multiply:
      return code.float_multiply(a, b);
    case op::divide:
      return code.float_divide(a, b);
    case op::minimum:
      return float_extreme(code, false, a, b);
    case op::maximum:
      return float_extreme(code, true, a, b);
    case op::pow:
    case op::atan2:
      return math_function(code, which, a, b);
    default:
      break;
  }
  require_internal(false, "a binary op that no float has");
  return a;
}

compare float_comparison(op which) {
  switch (which) {
    case op::less:
      return compare::less;
    case op::less_equal:
      return compare::less_equal;
    case op::greater:
      return compare::greater;
    case op::greater_equal:
      return compare::greater_equal;
    case op::equal:
      return compare::equal;
    default:
      return compare::not_equal;
  }
}

value unary(module_builder& code, op which, dtype element, value a) {
  if (!is_floating(element)) return integer_unary(code, which, is_signed(element), a);
  const ir::type t = code.type_of(a);
  if (is_narrow_float(element) && which == op::negate) return code.bit_xor(a, code.integer(t, 0x8000));
  if (is_narrow_float(element) && which == op::absolute) return code.bit_and(a, code.integer(t, 0x7fff));
  if (which == op::negate) return code.float_negate(a);
  if (which == op::absolute) return code.float_absolute(a);
  return narrowed_result(code, element, math_function(code, which, widened(code, element, a)));
}

value binary(module_builder& code, op which, dtype element, value a, value b) {
  if (!is_floating(element)) return integer_binary(code, which, is_signed(element), a, b);
  const value result = float_binary(code, which, widened(code, element, a), widened(code, element, b));
  const bool chooses = which == op::minimum || which == op::maximum;
  return chooses ? narrowed_exactly(code, element, result) : narrowed_result(code, element, result);
}

value comparison(module_builder& code, op which, dtype element, value a, value b) {
  if (!is_floating(element)) return integer_comparison(code, which, is_signed(element), a, b);
  return code.compare_floats(float_comparison(which), widened(code, element, a), widened(code, element, b));
}

value fused_multiply_add(module_builder& code, dtype element, std::span<const value> operands) {
  const auto wide = [&](std::size_t n) { return widened(code, element, operands[n]); };
  return narrowed_result(code, element, code.fma(wide(0), wide(1), wide(2)));
}

std::int64_t neutral_integer(op combining, dtype element) {
  const int width = info(element).bits;
  const std::int64_t least = is_signed(element) ? std::int64_t{-1} << (width - 1) : 0;
  switch (combining) {
    case op::add:
      return 0;
    case op::multiply:
      return 1;
    case op::maximum:
      return least;
    default:
      return ~least;  // wraps to all ones of an unsigned element
  }
}

double neutral_float(op combining) {
  switch (combining) {
    case op::add:
      return -0.0;  // +0 would make +0 of -0
    case op::multiply:
      return 1;
    case op::maximum:
      return -std::numeric_limits<double>::infinity();
    default:
      return std::numeric_limits<double>::infinity();
  }
}

// A denormal f32 counts as 0 of its sign.
value flushed(module_builder& code, value x) {
  const ir::type t = code.type_of(x);
  const value least = code.floating(t, static_cast<double>(std::numeric_limits<float>::min()));
  const value is_small = code.compare_floats(compare::less, code.float_absolute(x), least);
  return code.select(is_small, code.copy_sign(code.floating(t, 0), x), x);
}

}  // namespace

scalar_type register_type(dtype element) {
  switch (element) {
    case dtype::boolean:
      return scalar_type::i1;
    case dtype::i8:
    case dtype::u8:
    case dtype::f8e4m3:
    case dtype::f8e5m2:
    case dtype::f8e8m0:
    case dtype::f4e2m1:
    case dtype::i4:
    case dtype::u4:
      return scalar_type::i8;
    case dtype::i16:
    case dtype::u16:
    case dtype::f16:
    case dtype::bf16:
      return scalar_type::i16;
    case dtype::i32:
    case dtype::u32:
      return scalar_type::i32;
    case dtype::f32:
    case dtype::tf32:
      return scalar_type::f32;
    case dtype::f64:
      return scalar_type::f64;
    case dtype::i64:
    case dtype::u64:
    case dtype::index:
      break;
  }
  return scalar_type::i64;
}

scalar_type memory_type(dtype element) { return element == dtype::boolean ? scalar_type::i8 : register_type(element); }

value from_memory(module_builder& code, dtype element, value loaded) {
  if (element != dtype::boolean) return loaded;
  return code.compare_integers(compare::not_equal, loaded, code.integer(code.type_of(loaded), 0));
}

value to_memory(module_builder& code, dtype element, value v) {
  return element == dtype::boolean ? code.zero_extend(v, scalar_type::i8) : v;
}

value constant_element(module_builder& code, dtype element, std::int64_t bits, int lanes) {
  const ir::type t{register_type(element), lanes};
  if (element == dtype::boolean) return code.integer(t, bits != 0 ? 1 : 0);
  if (element == dtype::f16) return code.integer(t, semantics::from_constant<f16>(bits).bits);
  if (element == dtype::bf16) return code.integer(t, semantics::from_constant<bf16>(bits).bits);
  if (element == dtype::f8e4m3) return code.integer(t, semantics::from_constant<f8e4m3>(bits).bits);
  if (element == dtype::f8e5m2) return code.integer(t, semantics::from_constant<f8e5m2>(bits).bits);
  if (element == dtype::f8e8m0) return code.integer(t, semantics::from_constant<f8e8m0>(bits).bits);
  if (element == dtype::f4e2m1) return code.integer(t, semantics::from_constant<f4e2m1>(bits).bits);
  if (is_half_byte(element)) return code.integer(t, bits & 15);
  if (element == dtype::tf32) return code.floating(t, static_cast<float>(semantics::from_constant<tf32>(bits)));
  return is_floating(element) ? code.floating(t, std::bit_cast<double>(bits)) : code.integer(t, bits);
}

value element_op(module_builder& code, const instruction& i, dtype to, dtype from, std::span<const value> operands) {
  const ast::rounding how = rounding_of(i);
  if (ast::is_directed(how)) return rounded_op(code, i.op, how, operands);
  if (how == ast::rounding::flushed) {
    std::vector<value> kept;
    for (const value operand : operands) kept.push_back(flushed(code, operand));
    return flushed(code, element_op(code, i.op, to, from, kept));
  }
  return element_op(code, i.op, to, from, operands);
}

value element_op(module_builder& code, op which, dtype to, dtype from, std::span<const value> operands) {
  switch (ast::info(which).category) {
    case op_category::unary:
      return unary(code, which, to, operands[0]);
    case op_category::binary:
      return binary(code, which, to, operands[0], operands[1]);
    case op_category::comparison:
      return comparison(code, which, from, operands[0], operands[1]);
    case op_category::ternary:
      if (which == op::select) return code.select(operands[0], operands[1], operands[2]);
      return fused_multiply_add(code, to, operands);
    case op_category::convert:
      if (which == op::bitcast) return bitcast_element(code, to, from, operands[0]);
      return cast_element(code, to, from, operands[0]);
    default:
      break;
  }
  require_internal(false, "not an element-wise op");
  return {};
}

value combine(module_builder& code, op along_axis, dtype element, value a, value b) {
  const op combining = ast::combining_op(along_axis);
  if (is_floating(element)) return float_binary(code, combining, a, b);
  return integer_binary(code, combining, is_signed(element), a, b);
}

value neutral(module_builder& code, op along_axis, dtype element, int lanes) {
  const op combining = ast::combining_op(along_axis);
  if (!is_floating(element)) return code.integer({register_type(element), lanes}, neutral_integer(combining, element));
  const auto wide = element == dtype::f64 ? scalar_type::f64 : scalar_type::f32;
  return code.floating({wide, lanes}, neutral_float(combining));
}

}  // namespace tilewright::compiler
