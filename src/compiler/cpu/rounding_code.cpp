// SPDX-License-Identifier: Apache-2.0
// In f32 the nearest number is compared with the exact result, which a double or the sum of two holds, and moved by one
// where it lies on the wrong side. For f64 nothing wider is at hand: there code calls what the interpreter computes
// with.
#include "compiler/cpu/rounding_code.hpp"

#include "compiler/rounded_semantics.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using ast::rounding;
using ir::compare;
using ir::module_builder;
using ir::scalar_type;
using ir::value;

std::string name_of_function(op which, rounding how) {
  return std::string("tilewright_") + ast::info(which).name + "_" + ast::name_of(how);
}

class f32_rounder {
 public:
  f32_rounder(module_builder& code, op which, rounding how, std::span<const value> operands)
      : code_(code), which_(which), how_(how), narrow_(code.type_of(operands[0])), wide_(narrow_.of(scalar_type::f64)) {
    for (const value operand : operands) operands_.push_back(code.float_extend(operand, scalar_type::f64));
    a32_ = operands[0];
    if (operands.size() > 1) b32_ = operands[1];
  }

  value run() {
    switch (which_) {
      case op::add:
        return of_sum(a(), b());
      case op::subtract:
        return of_sum(a(), code_.float_negate(b()));
      case op::fma:
        return of_sum(code_.float_multiply(a(), b()), operands_[2]);
      case op::multiply:
        return of_double(code_.float_multiply(a(), b()), number(0));
      case op::divide:
        return of_quotient();
      default:
        return of_root();
    }
  }

 private:
  value a() const { return operands_[0]; }
  value b() const { return operands_[1]; }
  value number(double n) { return code_.floating(wide_, n); }
  value words(std::int64_t n) { return code_.integer(narrow_.of(scalar_type::i32), n); }

  // Exactly sum + rest, where the sum is finite.
  value of_sum(value x, value y) {
    const value sum = code_.float_add(x, y);
    const value y_part = code_.float_subtract(sum, x), x_part = code_.float_subtract(sum, y_part);
    const value rest = code_.float_add(code_.float_subtract(x, x_part), code_.float_subtract(y, y_part));
    const value result = of_double(sum, rest);
    if (how_ != rounding::downward) return result;
    // Zero has the sign - downward as soon as one term has.
    const ir::type bits = wide_.of(scalar_type::i64);
    const value signs = code_.bit_or(code_.bit_cast(x, bits), code_.bit_cast(y, bits));
    const value zero = code_.copy_sign(number(0), code_.bit_cast(signs, wide_));
    const value is_zero = code_.compare_floats(compare::equal, sum, number(0));
    return code_.select(is_zero, code_.float_truncate(zero, scalar_type::f32), result);
  }

  value of_double(value sum, value rest) {
    const value nearest = code_.float_truncate(sum, scalar_type::f32);
    const value missing = code_.float_subtract(sum, code_.float_extend(nearest, scalar_type::f64));
    const value is_exact = code_.compare_floats(compare::equal, missing, number(0));
    return moved(nearest, code_.select(is_exact, rest, missing));
  }

  // The product of two f32 is a double: what is missing from a is exact enough to have the right sign.
  value of_quotient() {
    const value nearest = code_.float_divide(a32_, b32_);
    const value back = code_.float_multiply(code_.float_extend(nearest, scalar_type::f64), b());
    const value missing = code_.float_subtract(a(), back);
    return moved(nearest, code_.float_multiply(missing, code_.copy_sign(number(1), b())));
  }

  value of_root() {
    const value nearest = code_.square_root(a32_);
    const value wide = code_.float_extend(nearest, scalar_type::f64);
    return moved(nearest, code_.float_subtract(a(), code_.float_multiply(wide, wide)));
  }

  // The exact result lies above `nearest` where `missing` is greater than 0, below where it is less; a NaN says that it
  // is no finite number. One less in the bits of a float is one step to zero.
  value moved(value nearest, value missing) {
    const value zero = code_.floating(narrow_, 0);
    const value bits = code_.bit_cast(nearest, narrow_.of(scalar_type::i32));
    const value is_above = code_.compare_floats(compare::greater, missing, number(0));
    const value is_below = code_.compare_floats(compare::less, missing, number(0));
    const value is_positive = code_.compare_floats(compare::greater, nearest, zero);
    const value is_negative = code_.compare_floats(compare::less, nearest, zero);
    const value inward = code_.subtract(bits, words(1)), outward = code_.add(bits, words(1));
    value result;
    if (how_ == rounding::toward_zero) {
      const value is_outside = code_.bit_or(code_.bit_and(is_positive, is_below), code_.bit_and(is_negative, is_above));
      result = code_.select(is_outside, inward, bits);
    } else {
      const bool is_down = how_ == rounding::downward;
      const value least = words(is_down ? std::int64_t{INT32_MIN} + 1 : 1);  // of this sign
      const value from_zero = code_.select(is_down ? is_negative : is_positive, outward, least);
      const value next = code_.select(is_down ? is_positive : is_negative, inward, from_zero);
      result = code_.select(is_down ? is_below : is_above, next, bits);
    }
    return code_.bit_cast(result, narrow_);
  }

  module_builder& code_;
  const op which_;
  const rounding how_;
  const ir::type narrow_, wide_;
  std::vector<value> operands_;  // as f64
  value a32_, b32_;
};

template <op Which, rounding How>
double rounded_of_one(double a) {
  return semantics::rounded(Which, How, a, a, a);
}
template <op Which, rounding How>
double rounded_of_two(double a, double b) {
  return semantics::rounded(Which, How, a, b, a);
}
template <op Which, rounding How>
double rounded_of_three(double a, double b, double c) {
  return semantics::rounded(Which, How, a, b, c);
}

template <rounding How>
void add_functions(std::vector<host_function>& all) {
  const auto add = [&](op which, auto* function) {
    // SAFETY: only an address, which code of this process calls with the arguments that it has.
    all.push_back({name_of_function(which, How), reinterpret_cast<void*>(function)});
  };
  add(op::add, &rounded_of_two<op::add, How>);
  add(op::subtract, &rounded_of_two<op::subtract, How>);
  add(op::multiply, &rounded_of_two<op::multiply, How>);
  add(op::divide, &rounded_of_two<op::divide, How>);
  add(op::sqrt, &rounded_of_one<op::sqrt, How>);
  add(op::fma, &rounded_of_three<op::fma, How>);
}

}  // namespace

value rounded_op(module_builder& code, op which, rounding how, std::span<const value> operands) {
  require_internal(ast::may_round(which, how) && ast::is_directed(how), "an op does not round so");
  if (code.type_of(operands[0]).scalar == scalar_type::f32) return f32_rounder(code, which, how, operands).run();
  return code.call_libm(name_of_function(which, how).c_str(), operands);
}

std::vector<host_function> rounding_functions() {
  std::vector<host_function> all;
  add_functions<rounding::toward_zero>(all);
  add_functions<rounding::downward>(all);
  add_functions<rounding::upward>(all);
  return all;
}

}  // namespace tilewright::compiler
