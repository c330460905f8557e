// SPDX-License-Identifier: Apache-2.0
// a^b = 2^(b * log2 |a|). The product is as great as 150, and its error becomes relative to the result, so log2 needs
// 10 bits more than f32 has: all is done in f64, where the denormals of f32 are ordinary numbers, and rounded once at
// the end. The polynomials are power series, cut where they are exact to 2^-42 and better.
#include "compiler/cpu/power_code.hpp"

#include <cstdint>
#include <limits>
#include <numbers>

namespace tilewright::compiler {
namespace {

using ir::compare;
using ir::module_builder;
using ir::scalar_type;
using ir::value;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double shifter = 0x1.8p52;  // in the sum with it a whole number stands in the low bits
constexpr std::int64_t shifter_bits = 0x4338000000000000;

class power_code {
 public:
  power_code(module_builder& code, value a, value b)
      : code_(code),
        base_(code.float_extend(a, scalar_type::f64)),
        exponent_(code.float_extend(b, scalar_type::f64)),
        type_(code.type_of(base_)),
        words_(type_.of(scalar_type::i64)) {}

  value power() const;

 private:
  value number(double constant) const { return code_.floating(type_, constant); }
  value word(std::int64_t constant) const { return code_.integer(words_, constant); }
  value bits(value v) const { return code_.bit_cast(v, words_); }
  value from_bits(value v) const { return code_.bit_cast(v, type_); }
  value equals(value v, double limit) const { return code_.compare_floats(compare::equal, v, number(limit)); }
  value is_below(value v, double limit) const { return code_.compare_floats(compare::less, v, number(limit)); }
  value is_whole(value v) const { return code_.compare_floats(compare::equal, code_.floor(v), v); }
  value log2(value magnitude) const;
  value exp2(value x) const;

  module_builder& code_;
  value base_, exponent_;
  ir::type type_, words_;
};

// magnitude = 2^e * m, 2/3 <= m < 4/3, and log m = 2 * (s + s^3 / 3 + ...) with s = (m - 1) / (m + 1), |s| <= 1/5.
value power_code::log2(value magnitude) const {
  constexpr std::int64_t two_thirds = 0x3fe5555555555555, exponent_mask = -(std::int64_t{1} << 52);
  constexpr int terms = 9;
  const value e = code_.bit_and(code_.subtract(bits(magnitude), word(two_thirds)), word(exponent_mask));
  const value m = from_bits(code_.subtract(bits(magnitude), e));
  const value whole = code_.add(code_.shift_right_arithmetic(e, word(52)), word(shifter_bits));
  const value s = code_.float_divide(code_.float_subtract(m, number(1)), code_.float_add(m, number(1)));
  const value z = code_.float_multiply(s, s);
  value sum = number(2 * std::numbers::log2e / (2 * terms - 1));
  for (int n = terms - 2; n >= 0; --n) sum = code_.fma(sum, z, number(2 * std::numbers::log2e / (2 * n + 1)));
  const value result = code_.fma(s, sum, code_.float_subtract(from_bits(whole), number(shifter)));
  const value special = code_.select(equals(magnitude, 0), number(-infinity), magnitude);  // infinity, NaN
  const value is_ordinary = code_.bit_and(is_below(magnitude, infinity), code_.bit_not(equals(magnitude, 0)));
  return code_.select(is_ordinary, result, special);
}

// Beyond 200 the result is 0 or infinite in f32.
value power_code::exp2(value x) const {
  constexpr int degree = 10;
  double coefficients[degree + 1] = {1};
  for (int n = 1; n <= degree; ++n) coefficients[n] = coefficients[n - 1] * std::numbers::ln2 / n;
  x = code_.lesser_or_second(number(200), code_.greater_or_second(number(-200), x));  // NaN stays
  const value shifted = code_.float_add(x, number(shifter));
  const value f = code_.float_subtract(x, code_.float_subtract(shifted, number(shifter)));
  value sum = number(coefficients[degree]);
  for (int n = degree - 1; n >= 0; --n) sum = code_.fma(sum, f, number(coefficients[n]));
  const value n = code_.add(code_.subtract(bits(shifted), word(shifter_bits)), word(1023));
  return code_.float_multiply(sum, from_bits(code_.shift_left(n, word(52))));
}

value power_code::power() const {
  const value magnitude = code_.float_absolute(base_);
  value result = exp2(code_.float_multiply(exponent_, log2(magnitude)));
  // 1 and -1 to an infinite power: 0 * infinity above.
  const value has_exponent = code_.compare_floats(compare::equal, exponent_, exponent_);
  result = code_.select(code_.bit_and(equals(magnitude, 1), has_exponent), number(1), result);

  const value exponent_is_whole = is_whole(exponent_);
  const value half_is_whole = is_whole(code_.float_multiply(exponent_, number(0.5)));
  const value is_odd = code_.bit_and(exponent_is_whole, code_.bit_not(half_is_whole));
  const value has_sign = code_.compare_integers(compare::less, bits(base_), word(0));
  result = code_.select(code_.bit_and(is_odd, has_sign), code_.float_negate(result), result);

  const value is_finite = is_below(magnitude, infinity);
  const value has_root = code_.bit_and(code_.bit_and(is_below(base_, 0), is_finite), code_.bit_not(exponent_is_whole));
  result = code_.select(has_root, number(std::numeric_limits<double>::quiet_NaN()), result);
  result = code_.select(code_.bit_or(equals(exponent_, 0), equals(base_, 1)), number(1), result);
  return code_.float_truncate(result, scalar_type::f32);
}

}  // namespace

value f32_power(module_builder& code, value a, value b) { return power_code(code, a, b).power(); }

}  // namespace tilewright::compiler
