// SPDX-License-Identifier: Apache-2.0
// Ways to reduce the argument are from Muller, "Elementary Functions" (3rd edition, 2016): chapter 11 (Cody and Waite),
// 6.2 (exponential). Coefficients are our own: tools/fit_polynomials computes them and says which error they leave.
#include "compiler/cpu/math_code.hpp"

#include <limits>

#include "compiler/cpu/jit.hpp"
#include "compiler/cpu/power_code.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using ir::compare;
using ir::module_builder;
using ir::scalar_type;
using ir::value;

// Polynomials, lowest coefficient first.
constexpr double exp2_ratio[] = {0x1.62e432p-1, 0x1.ebfbf2p-3,  0x1.c6ada2p-5,  // (2^f - 1) / f, |f| <= 1/2
                                 0x1.3b1bf8p-7, 0x1.5fbc4ep-10, 0x1.4dd30cp-13};
constexpr double log_ratio[] = {-0x1.000000p-1, 0x1.5554fap-2,  -0x1.ffff94p-3,  // (log(1 + r) - r) / r^2,
                                0x1.99d58ap-3,  -0x1.557e28p-3, 0x1.1e82dap-3,   // -1/3 <= r <= 1/3
                                -0x1.f6b4dap-4, 0x1.1fef18p-3,  -0x1.ffaacap-4};
constexpr double log2_ratio[] = {-0x1.715476p-1, 0x1.ec7014p-2,  -0x1.715492p-2,  // (log2(1 + r) - r / ln 2) / r^2,
                                 0x1.27a390p-2,  -0x1.ec8b32p-3, 0x1.9d1e94p-3,   // -1/3 <= r <= 1/3
                                 -0x1.6c6678p-3, 0x1.a0b190p-3,  -0x1.68dd82p-3};
constexpr double sinh_ratio[] = {0x1.555556p-3, 0x1.1110e0p-7, 0x1.a022bcp-13, 0x1.756c1ep-19};  // as tanh, x <= 1
constexpr double atan_ratio[] = {
    -0x1.555552p-2, 0x1.99981cp-3, -0x1.247620p-3, 0x1.c51170p-4,  // (atan(q) / q - 1) / s,
    -0x1.6953bcp-4, 0x1.150a00p-4, -0x1.7080bap-5, 0x1.753040p-6,  // s = q^2, q <= 1
    -0x1.e6a0ecp-8, 0x1.29687ep-10};
constexpr double tanh_ratio[] = {-0x1.555530p-2, 0x1.110684p-3, -0x1.b82628p-5,    // (tanh(x) / x - 1) / s, s = x^2,
                                 0x1.519040p-6, -0x1.732bd0p-8};                   // x <= 0.63
constexpr double sine_ratio[] = {-0x1.555544p-3, 0x1.1106aep-7, -0x1.990f92p-13};  // (sin(r) / r - 1) / s, s <= 0.64
constexpr double cosine_ratio[] = {-0x1.000000p-1, 0x1.555548p-5, -0x1.6c0af4p-10, 0x1.99911cp-16};  // (cos(r) - 1) / s

// In f32 the sum with it is a whole number, rounded to nearest even, whose two's complement stands in the low bits.
constexpr double shifter = 0x1.8p23;
constexpr std::int64_t shifter_bits = 0x4b400000;

// A builder with what polynomials need: constants and Horner's rule on one type of f32.
class f32_code {
 public:
  f32_code(module_builder& code, value v) : code_(code), type_(code.type_of(v)), words_(type_.of(scalar_type::i32)) {}

  value exp(value x) const { return exp_halved(x, 0); }
  value exp2(value x) const;
  value log(value x, bool is_binary) const;
  value rsqrt(value x) const { return code_.float_divide(number(1), code_.square_root(x)); }
  value tanh(value x) const;
  value circular(op which, value x) const;
  value sinh(value x) const;
  value cosh(value x) const;
  value atan2(value y, value x) const;

 private:
  struct whole_part {
    value number, integer;  // as f32 and as i32
  };

  value number(double constant) const { return code_.floating(type_, constant); }
  value word(std::int64_t constant) const { return code_.integer(words_, constant); }
  value bits(value v) const { return code_.bit_cast(v, words_); }
  value from_bits(value v) const { return code_.bit_cast(v, type_); }
  value at_least(value v, double limit) const { return code_.greater_or_second(number(limit), v); }  // NaN stays
  value at_most(value v, double limit) const { return code_.lesser_or_second(number(limit), v); }
  template <std::size_t Count>
  value polynomial(const double (&coefficients)[Count], value v) const;
  whole_part rounded(value shifted) const;
  value scaled(value v, value exponent) const;
  value exp2_of_fraction(value f) const { return code_.fma(polynomial(exp2_ratio, f), f, number(1)); }
  value exp_halved(value x, int halvings) const;
  value log_of_special(value x) const;
  value circular_of_small(op which, value x) const;
  value is_negative(value v) const { return code_.compare_integers(compare::less, bits(v), word(0)); }  // -0 is, too

  module_builder& code_;
  ir::type type_, words_;
};

template <std::size_t Count>
value f32_code::polynomial(const double (&coefficients)[Count], value v) const {
  value sum = number(coefficients[Count - 1]);
  for (std::size_t i = Count - 1; i-- > 0;) sum = code_.fma(sum, v, number(coefficients[i]));
  return sum;
}

f32_code::whole_part f32_code::rounded(value shifted) const {
  const value integer = code_.subtract(bits(shifted), word(shifter_bits));
  return {code_.signed_to_float(integer, scalar_type::f32), integer};
}

// v * 2^exponent, rounded once: to denormals, too. v is about 1.
value f32_code::scaled(value v, value exponent) const {
  if (vector_bytes() == 64) return code_.scale(v, exponent);  // one instruction
  const auto power = [&](value e) { return from_bits(code_.shift_left(code_.add(e, word(127)), word(23))); };
  const value half = code_.shift_right_arithmetic(exponent, word(1));
  return code_.float_multiply(code_.float_multiply(v, power(half)), power(code_.subtract(exponent, half)));
}

// e^x = 2^n * 2^f with n + f = x / ln 2, f in two steps because x / ln 2 has more bits than f32.
// Divided by a power of two, so that half of what does not fit f32 fits.
value f32_code::exp_halved(value x, int halvings) const {
  constexpr double log2_e = 0x1.715476p+0, log2_e_rest = 0x1.4ae0cp-26;
  x = at_most(at_least(x, -105), 90);  // there 0 and infinity are reached, halved too
  const whole_part n = rounded(code_.fma(x, number(log2_e), number(shifter)));
  value f = code_.fma(x, number(log2_e), code_.float_negate(n.number));
  f = code_.fma(x, number(log2_e_rest), f);
  return scaled(exp2_of_fraction(f), halvings == 0 ? n.integer : code_.subtract(n.integer, word(halvings)));
}

value f32_code::exp2(value x) const {
  x = at_most(at_least(x, -151), 129);
  const whole_part n = rounded(code_.float_add(x, number(shifter)));
  return scaled(exp2_of_fraction(code_.float_subtract(x, n.number)), n.integer);
}

// x = 2^e * (1 + r), 2/3 <= 1 + r < 4/3.
value f32_code::log(value x, bool is_binary) const {
  constexpr double ln_2 = 0x1.62e43p-1, log2_e = 0x1.715476p+0, log2_e_rest = 0x1.4ae0cp-26;
  constexpr std::int64_t two_thirds = 0x3f2aaaab, exponent_mask = -(std::int64_t{1} << 23);
  const value is_denormal = code_.compare_floats(compare::less, x, number(0x1p-126));
  const value word_of_x = bits(code_.select(is_denormal, code_.float_multiply(x, number(0x1p23)), x));
  const value e = code_.bit_and(code_.subtract(word_of_x, word(two_thirds)), word(exponent_mask));  // e * 2^23
  const value r = code_.float_subtract(from_bits(code_.subtract(word_of_x, e)), number(1));
  const value true_e = code_.select(is_denormal, code_.subtract(e, word(std::int64_t{23} << 23)), e);

  const value square = code_.float_multiply(r, r);
  value fraction = code_.fma(square, polynomial(log_ratio, r), r);
  if (is_binary) {
    const value rest = code_.fma(square, polynomial(log2_ratio, r), code_.float_multiply(r, number(log2_e_rest)));
    fraction = code_.fma(r, number(log2_e), rest);
  }
  const double of_two = is_binary ? 1 : ln_2;
  const value result = code_.fma(code_.signed_to_float(true_e, scalar_type::f32), number(of_two * 0x1p-23), fraction);
  // Positive and finite: their bits less 1 are below those of infinity less 1.
  const value is_ordinary =
      code_.compare_integers(compare::unsigned_less, code_.subtract(bits(x), word(1)), word(0x7f800000 - 1));
  return code_.select(is_ordinary, result, log_of_special(x));
}

value f32_code::log_of_special(value x) const {
  const value not_zero = code_.select(code_.compare_floats(compare::greater, x, number(0)), x,
                                      number(std::numeric_limits<double>::quiet_NaN()));
  return code_.select(code_.compare_floats(compare::equal, x, number(0)),
                      number(-std::numeric_limits<double>::infinity()), not_zero);
}

// |x| below 0.63: an odd polynomial; else 1 - 2 / (e^2x + 1), which loses nothing there.
value f32_code::tanh(value x) const {
  constexpr double two_log2_e = 0x1.715476p+1, two_log2_e_rest = 0x1.4ae0cp-25;
  const value a = code_.float_absolute(x);
  const value s = code_.float_multiply(a, a);
  const value small = code_.fma(code_.float_multiply(a, s), polynomial(tanh_ratio, s), a);

  const value most = at_most(a, 10);  // where tanh is 1
  const whole_part n = rounded(code_.fma(most, number(two_log2_e), number(shifter)));
  value f = code_.fma(most, number(two_log2_e), code_.float_negate(n.number));
  f = code_.fma(most, number(two_log2_e_rest), f);
  const value e = scaled(exp2_of_fraction(f), n.integer);
  const value large = code_.float_subtract(number(1), code_.float_divide(number(2), code_.float_add(e, number(1))));
  return code_.copy_sign(code_.select(code_.compare_floats(compare::less, a, number(0.63)), small, large), x);
}

// |x| up to 2^18: r = x - n * pi/2 with pi/2 in three f32. The first step is exact, and 72 bits of pi/2 are enough for
// the least r of these x.
value f32_code::circular_of_small(op which, value x) const {
  constexpr double two_over_pi = 0x1.45f306p-1;
  constexpr double half_pi[] = {0x1.921fb4p+0, 0x1.4442dp-24, 0x1.846988p-48};  // cut, so that all are positive
  const value shifted = code_.fma(x, number(two_over_pi), number(shifter));
  const value n = code_.float_subtract(shifted, number(shifter));
  value r = x;  // stays -0, since +0 times the negated parts is -0
  for (const double part : half_pi) r = code_.fma(n, number(-part), r);
  const value s = code_.float_multiply(r, r);
  // r times the sum, not r plus a product: sin(-0) is -0.
  const value sine = code_.float_multiply(r, code_.fma(polynomial(sine_ratio, s), s, number(1)));
  const value cosine = code_.fma(polynomial(cosine_ratio, s), s, number(1));

  const value quadrant = which == op::cos ? code_.add(bits(shifted), word(1)) : bits(shifted);
  const value is_even = code_.compare_integers(compare::equal, code_.bit_and(quadrant, word(1)), word(0));
  if (which == op::tan) {
    const value numerator = code_.select(is_even, sine, cosine);
    return code_.float_divide(numerator, code_.select(is_even, cosine, code_.float_negate(sine)));
  }
  const value sign = code_.shift_left(code_.bit_and(quadrant, word(2)), word(30));
  return from_bits(code_.bit_xor(bits(code_.select(is_even, sine, cosine)), sign));
}

// Larger ones are rare, and take the C library's way through f64. A lane's result never depends on its neighbours.
value f32_code::circular(op which, value x) const {
  const value fast = circular_of_small(which, x);
  const value is_small = code_.compare_floats(compare::less_equal, code_.float_absolute(x), number(0x1p18));
  const value is_large = code_.bit_not(is_small);
  const auto slow = [&] {
    const value extended = code_.float_extend(x, scalar_type::f64);
    const value wide = code_.call_libm(ast::info(which).name, std::span(&extended, 1));
    return module_builder::values{code_.select(is_small, fast, code_.float_truncate(wide, scalar_type::f32))};
  };
  return code_.branch(code_.any_lane(is_large), slow, [&] { return module_builder::values{fast}; })[0];
}

// e^|x| and e^-|x| are added and subtracted in halves, which fit where the result does.
value f32_code::cosh(value x) const {
  const value half = exp_halved(code_.float_absolute(x), 1);
  return code_.float_add(half, code_.float_divide(number(0.25), half));
}

// |x| up to 1: an odd polynomial, since the difference cancels there.
value f32_code::sinh(value x) const {
  const value a = code_.float_absolute(x);
  const value s = code_.float_multiply(a, a);
  const value small = code_.fma(code_.float_multiply(a, s), polynomial(sinh_ratio, s), a);
  const value half = exp_halved(a, 1);
  const value large = code_.float_subtract(half, code_.float_divide(number(0.25), half));
  return code_.copy_sign(code_.select(code_.compare_floats(compare::less, a, number(1)), small, large), x);
}

// The angle to the nearer axis, from a quotient up to 1, and then added to a multiple of pi/2 in two f32. Equal sides
// have no quotient where they are 0 or infinite.
value f32_code::atan2(value y, value x) const {
  constexpr double pi = 0x1.921fb6p+1, pi_rest = -0x1.777a5cp-24;
  const value up = code_.float_absolute(y), along = code_.float_absolute(x);
  const value is_steep = code_.compare_floats(compare::greater, up, along);
  const value shorter = code_.select(is_steep, along, up), longer = code_.select(is_steep, up, along);
  const value of_equal = code_.select(code_.compare_floats(compare::equal, longer, number(0)), number(0), number(1));
  const value is_equal = code_.compare_floats(compare::equal, shorter, longer);
  const value q = code_.select(is_equal, of_equal, code_.float_divide(shorter, longer));
  const value s = code_.float_multiply(q, q);
  const value angle = code_.fma(code_.float_multiply(q, s), polynomial(atan_ratio, s), q);

  const value is_left = is_negative(x);
  const auto chosen = [&](double steep, double left) {
    return code_.select(is_steep, number(steep), code_.select(is_left, number(left), number(0)));
  };
  const value turns_back = code_.bit_xor(is_steep, is_left);
  const value turned = code_.select(turns_back, code_.float_negate(angle), angle);
  const value with_rest = code_.float_add(turned, chosen(pi_rest / 2, pi_rest));
  return code_.copy_sign(code_.float_add(with_rest, chosen(pi / 2, pi)), y);
}

value f64_function(module_builder& code, op which, value v) {
  switch (which) {
    case op::rsqrt:
      return code.float_divide(code.floating(code.type_of(v), 1), code.square_root(v));
    case op::exp:
    case op::exp2:
    case op::log:
    case op::tanh:
    case op::sin:
    case op::cos:
    case op::log2:
    case op::tan:
    case op::sinh:
    case op::cosh:
      return code.call_libm(ast::info(which).name, std::span(&v, 1));  // the table's names are the library's
    default:
      break;
  }
  require_internal(false, "not a function of the op table");
  return v;
}

}  // namespace

value math_function(module_builder& code, op which, value v) {
  if (which == op::sqrt) return code.square_root(v);
  if (which == op::floor) return code.floor(v);
  if (which == op::ceil) return code.float_negate(code.floor(code.float_negate(v)));
  if (code.type_of(v).scalar == scalar_type::f64) return f64_function(code, which, v);
  const f32_code f32(code, v);
  switch (which) {
    case op::exp:
      return f32.exp(v);
    case op::exp2:
      return f32.exp2(v);
    case op::log:
      return f32.log(v, false);
    case op::log2:
      return f32.log(v, true);
    case op::rsqrt:
      return f32.rsqrt(v);
    case op::tanh:
      return f32.tanh(v);
    case op::sin:
    case op::cos:
    case op::tan:
      return f32.circular(which, v);
    case op::sinh:
      return f32.sinh(v);
    case op::cosh:
      return f32.cosh(v);
    default:
      break;
  }
  require_internal(false, "not a function of the op table");
  return v;
}

value math_function(module_builder& code, op which, value a, value b) {
  require_internal(which == op::pow || which == op::atan2, "not a function of the op table");
  const value operands[] = {a, b};
  if (code.type_of(a).scalar == scalar_type::f64) return code.call_libm(ast::info(which).name, operands);
  return which == op::pow ? f32_power(code, a, b) : f32_code(code, a).atan2(a, b);
}

}  // namespace tilewright::compiler
