// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/division_code.hpp"

#include <bit>
#include <cstdint>

namespace tilewright::compiler {
namespace {

using ast::op;
using ir::compare;
using ir::module_builder;
using ir::scalar_type;
using ir::value;

bool is_floored(op which) { return which == op::floor_div || which == op::floor_mod; }
bool is_quotient(op which) { return which == op::divide || which == op::floor_div; }

// a - b * quotient wraps to the right value even where the quotient wrapped (least / -1).
value rest_of(module_builder& code, value a, value b, value quotient) {
  return code.subtract(a, code.multiply(b, quotient));
}

// From the truncated quotient, which nothing has rounded yet.
value floored(module_builder& code, value a, value b, value quotient) {
  const ir::type t = code.type_of(a);
  const value zero = code.integer(t, 0);
  const value rest = rest_of(code, a, b, quotient);
  const value inexact = code.compare_integers(compare::not_equal, rest, zero);
  const value negative = code.compare_integers(compare::less, code.bit_xor(rest, b), zero);
  return code.add(quotient, code.sign_extend(code.bit_and(inexact, negative), t.scalar));
}

value finish(module_builder& code, op which, bool is_signed, value a, value b, value quotient) {
  if (is_floored(which) && is_signed) quotient = floored(code, a, b, quotient);
  return is_quotient(which) ? quotient : rest_of(code, a, b, quotient);
}

// A divisor that is never 0; LLVM makes multiplications and shifts of it.
value by_constant(module_builder& code, op which, bool is_signed, value a, std::int64_t divisor) {
  const ir::type t = code.type_of(a);
  if (divisor == -1 && is_signed) {
    return is_quotient(which) ? code.subtract(code.integer(t, 0), a) : code.integer(t, 0);
  }
  const value b = code.integer(t, divisor);
  if (!is_signed) return is_quotient(which) ? code.unsigned_divide(a, b) : code.unsigned_remainder(a, b);
  if (is_floored(which) && divisor > 0 && std::has_single_bit(static_cast<std::uint64_t>(divisor))) {
    if (!is_quotient(which)) return code.bit_and(a, code.integer(t, divisor - 1));
    return code.shift_right_arithmetic(a, code.integer(t, std::countr_zero(static_cast<std::uint64_t>(divisor))));
  }
  return finish(code, which, is_signed, a, b, code.signed_divide(a, b));
}

// A float of twice the width or more holds both operands, and its rounded quotient never reaches a whole number that
// the exact one does not: |a / b| is at least 1 / |b| away from it, which is more than half a unit in the last place.
value by_floats(module_builder& code, op which, bool is_signed, value a, value b) {
  const ir::type t = code.type_of(a);
  const bool is_wide = ir::bits_of(t.scalar) > 16;
  const auto real = is_wide ? scalar_type::f64 : scalar_type::f32;
  const auto whole = is_wide ? scalar_type::i64 : scalar_type::i32;
  const auto as_float = [&](value v) {
    if (!is_wide) v = is_signed ? code.sign_extend(v, whole) : code.zero_extend(v, whole);
    return is_signed || !is_wide ? code.signed_to_float(v, real) : code.unsigned_to_float(v, real);
  };
  value quotient = code.float_divide(as_float(a), as_float(b));
  if (is_signed && !is_floored(which)) {
    quotient = code.copy_sign(code.floor(code.float_absolute(quotient)), quotient);
  } else {
    quotient = code.floor(quotient);
  }
  // Added to 1.5 * 2^(mantissa bits), a whole number stands in the low bits, in two's complement: no conversion that
  // has to saturate. Its lowest bits are the wrapped quotient.
  const value shifter = code.floating(t.of(real), is_wide ? 0x1.8p52 : 0x1.8p23);
  quotient = code.truncate(code.bit_cast(code.float_add(quotient, shifter), t.of(whole)), t.scalar);
  return is_quotient(which) ? quotient : rest_of(code, a, b, quotient);
}

// In an integer of twice the width nothing overflows.
value by_wider_integers(module_builder& code, op which, bool is_signed, value a, value b) {
  const ir::type t = code.type_of(a);
  const auto wide = ir::bits_of(t.scalar) > 16 ? scalar_type::i64 : scalar_type::i32;
  const auto extended = [&](value v) { return is_signed ? code.sign_extend(v, wide) : code.zero_extend(v, wide); };
  const value wide_a = extended(a), wide_b = extended(b);
  const value quotient = is_signed ? code.signed_divide(wide_a, wide_b) : code.unsigned_divide(wide_a, wide_b);
  return finish(code, which, is_signed, a, b, code.truncate(quotient, t.scalar));
}

value by_own_integers(module_builder& code, op which, bool is_signed, value a, value b) {
  if (!is_signed) return is_quotient(which) ? code.unsigned_divide(a, b) : code.unsigned_remainder(a, b);
  const ir::type t = code.type_of(a);
  const value is_minus_one = code.compare_integers(compare::equal, b, code.integer(t, -1));
  value quotient = code.signed_divide(a, code.select(is_minus_one, code.integer(t, 1), b));
  quotient = code.select(is_minus_one, code.subtract(code.integer(t, 0), a), quotient);
  return finish(code, which, is_signed, a, b, quotient);
}

}  // namespace

value divide_integers(module_builder& code, op which, bool is_signed, value a, value b) {
  const ir::type t = code.type_of(b);
  std::int64_t divisor = 0;
  if (code.constant_value(b, divisor)) return by_constant(code, which, is_signed, a, divisor == 0 ? 1 : divisor);
  const value is_zero = code.compare_integers(compare::equal, b, code.integer(t, 0));
  b = code.select(is_zero, code.integer(t, 1), b);  // a zero divisor counts as 1
  if (t.scalar == scalar_type::i64) return by_own_integers(code, which, is_signed, a, b);
  return t.lanes == 1 ? by_wider_integers(code, which, is_signed, a, b) : by_floats(code, which, is_signed, a, b);
}

}  // namespace tilewright::compiler
