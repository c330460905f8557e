// SPDX-License-Identifier: Apache-2.0
// Every element-wise op on every element it takes, over special values, on every back end: against exact arithmetic
// under the bound of the op table, and bit for bit against the interpreter where the op is rounded correctly.
#include <sstream>
#include <tuple>

#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/special_values.hpp"
#include "numeric/tile_computation.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::op_category;
using ast::takes;

std::vector<dtype> elements_of(op which) {
  std::vector<dtype> all;
  for (int i = 0; i < dtype_count; ++i) {
    if (takes(which, static_cast<dtype>(i))) all.push_back(static_cast<dtype>(i));
  }
  return all;
}

constexpr std::int32_t widths[] = {1, 5, 37, 64};

// ---- References ----------------------------------------------------------------------------------------------------
real exact_unary(op which, real a) {
  switch (which) {
    case op::negate:
      return -a;
    case op::absolute:
      return std::fabs(a);
    case op::exp:
      return std::exp(a);
    case op::exp2:
      return std::exp2(a);
    case op::log:
      return std::log(a);
    case op::sqrt:
      return std::sqrt(a);
    case op::rsqrt:
      return 1 / std::sqrt(a);
    case op::tanh:
      return std::tanh(a);
    case op::sin:
      return std::sin(a);
    case op::cos:
      return std::cos(a);
    case op::log2:
      return std::log2(a);
    case op::tan:
      return std::tan(a);
    case op::sinh:
      return std::sinh(a);
    case op::cosh:
      return std::cosh(a);
    case op::floor:
      return std::floor(a);
    case op::ceil:
      return std::ceil(a);
    default:
      ADD_FAILURE() << "no reference for " << ast::info(which).name;
      return 0;
  }
}

real exact_binary(op which, real a, real b) {
  switch (which) {
    case op::add:
      return a + b;
    case op::subtract:
      return a - b;
    case op::multiply:
      return a * b;
    case op::divide:
      return a / b;
    case op::minimum:
      return std::isnan(a) || std::isnan(b) ? a + b : std::fmin(a, b);
    case op::pow:
      return std::pow(a, b);
    case op::atan2:
      return std::atan2(a, b);
    case op::maximum:
      return std::isnan(a) || std::isnan(b) ? a + b : std::fmax(a, b);
    default:
      ADD_FAILURE() << "no reference for " << ast::info(which).name;
      return 0;
  }
}

whole floor_divide(whole a, whole b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0); }

whole wrapped_product(whole a, whole b) {
  return static_cast<whole>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}

// Of the product in 128 bits, which hold it; what stands above the element is cut off.
whole high_half(dtype element, whole a, whole b) {
  const int bits = info(element).bits;
  const bool is_negative = (a < 0) != (b < 0);
  const auto x = static_cast<unsigned __int128>(a < 0 ? -a : a), y = static_cast<unsigned __int128>(b < 0 ? -b : b);
  const unsigned __int128 product = x * y;  // up to (2^64 - 1)^2
  const unsigned __int128 signed_product = is_negative ? -product : product;
  return static_cast<whole>(signed_product >> bits);
}

whole exact_shift(op which, dtype element, whole a, whole b) {
  const bool past = b < 0 || b >= info(element).size_bytes * 8;
  if (which == op::shift_left) return past ? 0 : wrapped_product(a, whole{1} << b);
  return floor_divide(a, past ? whole{1} << 65 : whole{1} << b);
}

whole exact_integer(op which, dtype element, whole a, whole b) {
  const whole divisor = b == 0 ? 1 : b;
  switch (which) {
    case op::negate:
      return -a;
    case op::absolute:
      return a < 0 ? -a : a;
    case op::bit_not:
      return ~a;
    case op::add:
      return a + b;
    case op::subtract:
      return a - b;
    case op::multiply:
      return wrapped_product(a, b);
    case op::divide:
      return a / divisor;
    case op::remainder:
      return a % divisor;
    case op::floor_div:
      return floor_divide(a, divisor);
    case op::floor_mod:
      return a - divisor * floor_divide(a, divisor);
    case op::minimum:
      return a < b ? a : b;
    case op::maximum:
      return a < b ? b : a;
    case op::multiply_high:
      return high_half(element, a, b);
    case op::bit_and:
      return a & b;
    case op::bit_or:
      return a | b;
    case op::bit_xor:
      return a ^ b;
    case op::shift_left:
    case op::shift_right:
      return exact_shift(which, element, a, b);
    default:
      ADD_FAILURE() << "no reference for " << ast::info(which).name;
      return 0;
  }
}

template <class T>
bool exact_comparison(op which, T a, T b) {
  switch (which) {
    case op::less:
      return a < b;
    case op::less_equal:
      return a <= b;
    case op::greater:
      return a > b;
    case op::greater_equal:
      return a >= b;
    case op::equal:
      return a == b;
    case op::not_equal:
      return a != b;
    default:
      ADD_FAILURE() << "no reference for " << ast::info(which).name;
      return false;
  }
}

// ---- One test per op and back end ----------------------------------------------------------------------------------
class ElementWise : public testing::TestWithParam<std::tuple<back_end, op>> {
 protected:
  const back_end& where() const { return std::get<0>(GetParam()); }
  op which() const { return std::get<1>(GetParam()); }

  // Computes on this back end in tiles of each width, and expects the interpreter's bits when the op is exact or
  // rounded correctly. expect(i, bits) judges element i.
  template <class Expect>
  void check_all_widths(dtype result, const std::vector<host_array>& operands, Expect expect) {
    const host_array reference = compute(interp_back_end(), which(), result, operands, 37);
    const bool has_one_result = ast::info(which()).ulp <= 0.5;
    for (const std::int32_t width : widths) {
      SCOPED_TRACE(testing::Message() << info(operands.back().element()).name << " in tiles of " << width);
      const host_array got = compute(where(), which(), result, operands, width);
      for (index_t i = 0; i < got.size() && !HasFailure(); ++i) {
        const auto as_interp = has_one_result ? is_same(result, got.bits(i), reference.bits(i)) : true_result();
        const auto as_exact = expect(i, got.bits(i));
        EXPECT_TRUE(as_interp) << operand_text(operands, i);
        EXPECT_TRUE(as_exact) << operand_text(operands, i);
      }
    }
  }

  static testing::AssertionResult true_result() { return testing::AssertionSuccess(); }

  static std::string operand_text(const std::vector<host_array>& operands, index_t i) {
    std::ostringstream text;
    text << "operands";
    for (const host_array& operand : operands) text << " " << decode(operand.element(), operand.bits(i));
    return text.str();
  }

  testing::AssertionResult is_number(dtype element, std::uint64_t got, real reference) const {
    return is_close(element, got, reference, bound_in(element, ast::info(which()).ulp));
  }
  static testing::AssertionResult is_integer_of(dtype element, std::uint64_t got, whole exact) {
    return is_same(element, got, low_bits(element, static_cast<std::uint64_t>(exact)));
  }
};

class UnaryOp : public ElementWise {};
class BinaryOp : public ElementWise {};
class ComparisonOp : public ElementWise {};

TEST_P(UnaryOp, MeetsItsBoundOnEveryElement) {
  for (const dtype element : elements_of(which())) {
    const host_array a = array_of(element, special_values(element));
    check_all_widths(element, {a}, [&](index_t i, std::uint64_t got) {
      if (is_floating(element)) {
        return is_number(element, got, exact_unary(which(), decode_float(element, a.bits(i))));
      }
      return is_integer_of(element, got, exact_integer(which(), element, decode_integer(element, a.bits(i)), 0));
    });
  }
}

// All pairs of special values.
std::vector<host_array> pairs_of(dtype element) {
  const bits_list values = special_values(element);
  bits_list left, right;
  for (const std::uint64_t a : values) {
    for (const std::uint64_t b : values) {
      left.push_back(a);
      right.push_back(b);
    }
  }
  return {array_of(element, left), array_of(element, right)};
}

TEST_P(BinaryOp, MeetsItsBoundOnEveryElement) {
  for (const dtype element : elements_of(which())) {
    const std::vector<host_array> pairs = pairs_of(element);
    check_all_widths(element, pairs, [&](index_t i, std::uint64_t got) {
      const std::uint64_t a = pairs[0].bits(i), b = pairs[1].bits(i);
      if (is_floating(element)) {
        return is_number(element, got, exact_binary(which(), decode_float(element, a), decode_float(element, b)));
      }
      const whole exact = exact_integer(which(), element, decode_integer(element, a), decode_integer(element, b));
      return is_integer_of(element, got, exact);
    });
  }
}

TEST_P(ComparisonOp, IsExactOnEveryElement) {
  for (const dtype element : elements_of(which())) {
    const std::vector<host_array> pairs = pairs_of(element);
    check_all_widths(dtype::boolean, pairs, [&](index_t i, std::uint64_t got) {
      const std::uint64_t a = pairs[0].bits(i), b = pairs[1].bits(i);
      const bool exact = is_floating(element)
                             ? exact_comparison(which(), decode_float(element, a), decode_float(element, b))
                             : exact_comparison(which(), decode_integer(element, a), decode_integer(element, b));
      return is_same(dtype::boolean, got, exact ? 1 : 0);
    });
  }
}

std::vector<op> ops_of(op_category category) {
  std::vector<op> all;
  for (int i = 0; i < ast::op_count; ++i) {
    if (ast::info(static_cast<op>(i)).category == category) all.push_back(static_cast<op>(i));
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<std::tuple<back_end, op>>& tested) {
  return std::get<0>(tested.param).name + "_" + ast::info(std::get<1>(tested.param)).name;
}

INSTANTIATE_TEST_SUITE_P(On, UnaryOp,
                         testing::Combine(testing::ValuesIn(back_ends()),
                                          testing::ValuesIn(ops_of(op_category::unary))),
                         name_of);
INSTANTIATE_TEST_SUITE_P(On, BinaryOp,
                         testing::Combine(testing::ValuesIn(back_ends()),
                                          testing::ValuesIn(ops_of(op_category::binary))),
                         name_of);
INSTANTIATE_TEST_SUITE_P(On, ComparisonOp,
                         testing::Combine(testing::ValuesIn(back_ends()),
                                          testing::ValuesIn(ops_of(op_category::comparison))),
                         name_of);

// ---- Three operands and conversions --------------------------------------------------------------------------------
class Ternary : public BackEndTest {};
class Conversion : public BackEndTest {};

TEST_P(Ternary, FmaRoundsOnce) {
  for (const dtype element : elements_of(op::fma)) {
    SCOPED_TRACE(info(element).name);
    const bits_list values = special_values(element);
    bits_list a, b, c;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        a.push_back(values[i]);
        b.push_back(values[j]);
        c.push_back(values[(i * 7 + j * 3) % values.size()]);
      }
    }
    const std::vector<host_array> operands = {array_of(element, a), array_of(element, b), array_of(element, c)};
    const host_array reference = compute(interp_back_end(), op::fma, element, operands, 64);
    const host_array got = compute(GetParam(), op::fma, element, operands, 37);
    for (index_t i = 0; i < got.size() && !HasFailure(); ++i) {
      EXPECT_TRUE(is_same(element, got.bits(i), reference.bits(i))) << "element " << i;
      if (element == dtype::f64) continue;  // a long double does not hold its products
      const auto number = [&](int n) { return decode_float(element, operands[static_cast<std::size_t>(n)].bits(i)); };
      EXPECT_TRUE(is_close(element, got.bits(i), std::fma(number(0), number(1), number(2)), bound_in(element, 0.5)));
    }
  }
}

TEST_P(Ternary, SelectTakesBitsAsTheyAre) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto element = static_cast<dtype>(i);
    SCOPED_TRACE(info(element).name);
    const bits_list a = special_values(element);
    bits_list conditions, b(a.rbegin(), a.rend());
    for (std::size_t n = 0; n < a.size(); ++n) conditions.push_back(n % 3 == 0 ? 1 : 0);
    const host_array got =
        compute(GetParam(), op::select, element,
                {array_of(dtype::boolean, conditions), array_of(element, a), array_of(element, b)}, 5);
    for (std::size_t n = 0; n < a.size(); ++n) {
      EXPECT_EQ(got.bits(static_cast<index_t>(n)), conditions[n] != 0 ? a[n] : b[n]) << "element " << n;
    }
  }
}

// The value of a cast: exact for floats, which then round; wrapped or saturated for integers.
std::uint64_t integer_from(dtype to, dtype from, std::uint64_t bits) {
  if (!is_floating(from)) {
    const whole value = decode_integer(from, bits);
    return to == dtype::boolean ? value != 0 : low_bits(to, static_cast<std::uint64_t>(value));
  }
  const real value = decode_float(from, bits);
  if (to == dtype::boolean) return value != 0 ? 1 : 0;
  if (std::isnan(value)) return 0;
  const real past = std::ldexp(real{1}, info(to).bits - (is_signed(to) ? 1 : 0));
  const real least = is_signed(to) ? -past : real{0};
  const real truncated = std::trunc(value);
  if (truncated < least) return low_bits(to, static_cast<std::uint64_t>(static_cast<whole>(least)));
  if (truncated >= past) return low_bits(to, static_cast<std::uint64_t>(static_cast<whole>(past) - 1));
  return low_bits(to, static_cast<std::uint64_t>(static_cast<whole>(truncated)));
}

TEST_P(Conversion, CastsRoundOnceSaturateAndWrap) {
  for (int f = 0; f < dtype_count; ++f) {
    for (int t = 0; t < dtype_count; ++t) {
      const auto from = static_cast<dtype>(f), to = static_cast<dtype>(t);
      if (!ast::is_converted(from, to)) continue;
      SCOPED_TRACE(testing::Message() << info(from).name << " to " << info(to).name);
      const host_array a = array_of(from, special_values(from));
      const host_array got = compute(GetParam(), op::cast, to, {a}, 37);
      const host_array reference = compute(interp_back_end(), op::cast, to, {a}, 64);
      for (index_t i = 0; i < a.size(); ++i) {
        const real value = decode(from, a.bits(i));
        EXPECT_TRUE(is_same(to, got.bits(i), reference.bits(i))) << "of " << value;
        if (to == dtype::f8e8m0) {
          EXPECT_EQ(got.bits(i), encode(to, static_cast<double>(value))) << "of " << value;
        } else if (is_floating(to)) {
          EXPECT_TRUE(is_close(to, got.bits(i), value, 0.5));
        } else {
          EXPECT_EQ(got.bits(i), integer_from(to, from, a.bits(i))) << "of " << value;
        }
      }
    }
  }
}

TEST_P(Conversion, BitcastKeepsTheBits) {
  for (int f = 0; f < dtype_count; ++f) {
    for (int t = 0; t < dtype_count; ++t) {
      const auto from = static_cast<dtype>(f), to = static_cast<dtype>(t);
      if (info(from).size_bytes != info(to).size_bytes || to == dtype::boolean) continue;
      if (!takes(op::bitcast, from) || !takes(op::bitcast, to)) continue;
      const host_array a = array_of(from, special_values(from));
      const host_array got = compute(GetParam(), op::bitcast, to, {a}, 37);
      for (index_t i = 0; i < a.size(); ++i) EXPECT_EQ(got.bits(i), a.bits(i)) << info(from).name << info(to).name;
    }
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(Ternary);
TILEWRIGHT_ON_EVERY_BACK_END(Conversion);

}  // namespace
}  // namespace tilewright::test
