// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparisons and conversions of the IR builder against C++, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/scalar_semantics.hpp"
#include "support/cpu_code.hpp"

namespace tilewright::test {
namespace {

using builder = ir::module_builder;
using ir::scalar_type;
using ir::value;
namespace semantics = compiler::semantics;

template <class T>
std::vector<T> integers() {
  using limits = std::numeric_limits<T>;
  return {T{0}, T{1},    T(-1),  T{2},          T{3},          T(-3),
          T{7}, T(-100), T{100}, limits::min(), limits::max(), T(limits::max() - 1)};
}

template <class T>
std::vector<T> floats() {
  using limits = std::numeric_limits<T>;
  return {T(0),
          T(-0.0),
          T(1),
          T(-1.5),
          T(2.5),
          T(-3.5),
          T(1e-3),
          T(1e20),
          T(-1e20),
          T(127.5),
          T(255.5),
          T(-129),
          limits::max(),
          limits::min(),
          limits::denorm_min(),
          limits::lowest(),
          limits::infinity(),
          -limits::infinity(),
          limits::quiet_NaN()};
}

// ---- Integers ------------------------------------------------------------------------------------------------------
// method(a, b) against a C++ expression over T a, b and their unsigned twins.
#define EXPECT_INTEGERS(method, samples, expression)                                       \
  expect_lanes<T>(                                                                         \
      #method, samples, [](builder& code, value a, value b) { return code.method(a, b); }, \
      [](T a, T b) {                                                                       \
        [[maybe_unused]] const std::uint64_t x = static_cast<U>(a), y = static_cast<U>(b); \
        return static_cast<T>(expression);                                                 \
      })
#define EXPECT_COMPARED(how, samples, compare_method, expression)                                                 \
  expect_lanes<bool>(                                                                                             \
      #how, samples, [](builder& code, value a, value b) { return code.compare_method(ir::compare::how, a, b); }, \
      [](T a, T b) { return expression; })

template <class T>
class CpuIrIntegers : public testing::Test {};
using integer_types = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CpuIrIntegers, integer_types);

TYPED_TEST(CpuIrIntegers, Arithmetic) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const auto all = pairs(integers<T>());
  EXPECT_INTEGERS(add, all, x + y);
  EXPECT_INTEGERS(subtract, all, x - y);
  EXPECT_INTEGERS(multiply, all, x * y);
  EXPECT_INTEGERS(bit_and, all, x & y);
  EXPECT_INTEGERS(bit_or, all, x | y);
  EXPECT_INTEGERS(bit_xor, all, x ^ y);
  EXPECT_INTEGERS(signed_minimum, all, std::min(a, b));
  EXPECT_INTEGERS(signed_maximum, all, std::max(a, b));
  EXPECT_INTEGERS(unsigned_minimum, all, std::min(x, y));
  EXPECT_INTEGERS(unsigned_maximum, all, std::max(x, y));
  const std::vector<T> small = {T{0}, T{1}, T(-3), T{10}};
  EXPECT_INTEGERS(add_index, pairs(small), a + b);
  EXPECT_INTEGERS(multiply_index, pairs(small), a * b);
  expect_lanes<T>(
      "bit_not", singles(integers<T>()), [](builder& code, value a) { return code.bit_not(a); },
      [](T a) { return static_cast<T>(~a); });
}

TYPED_TEST(CpuIrIntegers, DivisionAndShifts) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  std::vector<std::tuple<T, T>> divisible, shifted;
  for (const auto& [a, b] : pairs(integers<T>())) {
    if (b != 0 && !(a == std::numeric_limits<T>::min() && b == -1)) divisible.emplace_back(a, b);
    if (b >= 0 && b < static_cast<T>(8 * sizeof(T))) shifted.emplace_back(a, b);
  }
  EXPECT_INTEGERS(signed_divide, divisible, a / b);
  EXPECT_INTEGERS(signed_remainder, divisible, a % b);
  EXPECT_INTEGERS(unsigned_divide, divisible, x / y);
  EXPECT_INTEGERS(unsigned_remainder, divisible, x % y);
  EXPECT_INTEGERS(shift_left, shifted, x << b);
  EXPECT_INTEGERS(shift_right_logical, shifted, x >> b);
  EXPECT_INTEGERS(shift_right_arithmetic, shifted, a >> b);
}

TYPED_TEST(CpuIrIntegers, Comparisons) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const auto all = pairs(integers<T>());
  EXPECT_COMPARED(equal, all, compare_integers, a == b);
  EXPECT_COMPARED(not_equal, all, compare_integers, a != b);
  EXPECT_COMPARED(less, all, compare_integers, a < b);
  EXPECT_COMPARED(less_equal, all, compare_integers, a <= b);
  EXPECT_COMPARED(greater, all, compare_integers, a > b);
  EXPECT_COMPARED(greater_equal, all, compare_integers, a >= b);
  EXPECT_COMPARED(unsigned_less, all, compare_integers, static_cast<U>(a) < static_cast<U>(b));
  EXPECT_COMPARED(unsigned_less_equal, all, compare_integers, static_cast<U>(a) <= static_cast<U>(b));
  EXPECT_COMPARED(unsigned_greater, all, compare_integers, static_cast<U>(a) > static_cast<U>(b));
  EXPECT_COMPARED(unsigned_greater_equal, all, compare_integers, static_cast<U>(a) >= static_cast<U>(b));
}

// ---- Floats --------------------------------------------------------------------------------------------------------
template <class T>
class CpuIrFloats : public testing::Test {};
using float_types = testing::Types<float, double>;
TYPED_TEST_SUITE(CpuIrFloats, float_types);

#define EXPECT_FLOATS(method, expression)                                                             \
  expect_lanes<T>(                                                                                    \
      #method, pairs(floats<T>()), [](builder& code, value a, value b) { return code.method(a, b); }, \
      [](T a, T b) { return expression; })
#define EXPECT_FLOAT(method, expression)                                                    \
  expect_lanes<T>(                                                                          \
      #method, singles(floats<T>()), [](builder& code, value a) { return code.method(a); }, \
      [](T a) { return expression; })

TYPED_TEST(CpuIrFloats, Arithmetic) {
  using T = TypeParam;
  EXPECT_FLOATS(float_add, a + b);
  EXPECT_FLOATS(float_subtract, a - b);
  EXPECT_FLOATS(float_multiply, a * b);
  EXPECT_FLOATS(float_divide, a / b);
  EXPECT_FLOATS(copy_sign, std::copysign(a, b));
  EXPECT_FLOAT(float_negate, -a);
  EXPECT_FLOAT(float_absolute, std::abs(a));
  EXPECT_FLOAT(square_root, std::sqrt(a));
  EXPECT_FLOAT(round_to_even, std::nearbyint(a));
  EXPECT_FLOAT(floor, std::floor(a));
  std::vector<std::tuple<T, T, T>> triples;
  for (const auto& [a, b] : pairs(floats<T>())) {
    for (const T c : {T(1), T(-1e-30), std::numeric_limits<T>::infinity()}) triples.emplace_back(a, b, c);
    triples.emplace_back(a, b, -a * b);  // what is left is the product's rounding error
  }
  expect_lanes<T>(
      "fma", triples, [](builder& code, value a, value b, value c) { return code.fma(a, b, c); },
      [](T a, T b, T c) { return std::fma(a, b, c); });
}

TYPED_TEST(CpuIrFloats, ProductAndSumStayTwoRoundings) {
  using T = TypeParam;
  const T a = 1 + std::numeric_limits<T>::epsilon();
  expect_lanes<T>(
      "a * a - c", std::vector<std::tuple<T, T>>{{a, a * a}},
      [](builder& code, value x, value y) { return code.float_subtract(code.float_multiply(x, x), y); },
      [](T, T) { return T(0); });
}

TYPED_TEST(CpuIrFloats, Comparisons) {
  using T = TypeParam;
  const auto all = pairs(floats<T>());
  EXPECT_COMPARED(equal, all, compare_floats, a == b);
  EXPECT_COMPARED(not_equal, all, compare_floats, a != b);
  EXPECT_COMPARED(less, all, compare_floats, a < b);
  EXPECT_COMPARED(less_equal, all, compare_floats, a <= b);
  EXPECT_COMPARED(greater, all, compare_floats, a > b);
  EXPECT_COMPARED(greater_equal, all, compare_floats, a >= b);
  EXPECT_COMPARED(unordered, all, compare_floats, std::isnan(a) || std::isnan(b));
  expect_lanes<T>(
      "lesser", all, [](builder& code, value a, value b) { return code.lesser_or_second(a, b); },
      [](T a, T b) { return a < b ? a : b; });
  expect_lanes<T>(
      "greater", all, [](builder& code, value a, value b) { return code.greater_or_second(a, b); },
      [](T a, T b) { return a > b ? a : b; });
  std::vector<std::tuple<bool, T, T>> chosen;
  for (const auto& [a, b] : all) chosen.emplace_back(chosen.size() % 3 == 0, a, b);
  expect_lanes<T>(
      "select", chosen, [](builder& code, value c, value a, value b) { return code.select(c, a, b); },
      [](bool c, T a, T b) { return c ? a : b; });
}

TEST(CpuIr, ScalesByPowersOfTwo) {
  std::vector<std::tuple<float, std::int32_t>> scaled;
  for (const float number : floats<float>()) {
    for (const std::int32_t exponent : {0, 1, -1, 20, -24, 127, -126, 128, -149, -150, -300, 300}) {
      scaled.emplace_back(number, exponent);
    }
  }
  expect_lanes<float>(
      "scale", scaled, [](builder& code, value a, value n) { return code.scale(a, n); },
      [](float a, std::int32_t n) { return std::ldexp(a, n); });
}

TEST(CpuIr, CallsLibm) {
  const auto numbers = singles(floats<double>());
  expect_lanes<double>(
      "exp", numbers, [](builder& code, value a) { return code.call_libm("exp", std::span(&a, 1)); },
      [](double a) { return std::exp(a); });
  expect_lanes<double>(
      "sin", numbers, [](builder& code, value a) { return code.call_libm("sin", std::span(&a, 1)); },
      [](double a) { return std::sin(a); });
}

// ---- Conversions ---------------------------------------------------------------------------------------------------
template <class To, value (builder::*method)(value, scalar_type), class From>
void expect_converted(const std::vector<From>& numbers) {
  expect_lanes<To>(
      "conversion", singles(numbers), [](builder& code, value v) { return (code.*method)(v, scalar_of<To>()); },
      [](From v) { return semantics::cast<To>(v); });
}

TEST(CpuIr, ResizesIntegers) {
  expect_converted<std::int8_t, &builder::truncate>(integers<std::int64_t>());
  expect_converted<std::int32_t, &builder::truncate>(integers<std::int64_t>());
  expect_converted<std::int64_t, &builder::sign_extend>(integers<std::int8_t>());
  expect_converted<std::int32_t, &builder::sign_extend>(integers<std::int16_t>());
  expect_converted<std::uint64_t, &builder::zero_extend>(integers<std::uint32_t>());
  expect_converted<std::uint16_t, &builder::zero_extend>(integers<std::uint8_t>());
}

TEST(CpuIr, ConvertsIntegersToFloats) {
  expect_converted<float, &builder::signed_to_float>(integers<std::int64_t>());
  expect_converted<double, &builder::signed_to_float>(integers<std::int64_t>());
  expect_converted<float, &builder::signed_to_float>(integers<std::int8_t>());
  expect_converted<float, &builder::unsigned_to_float>(integers<std::uint64_t>());
  expect_converted<double, &builder::unsigned_to_float>(integers<std::uint64_t>());
  expect_converted<float, &builder::unsigned_to_float>(integers<std::uint32_t>());
}

template <class From>
void expect_saturation() {
  expect_converted<std::int8_t, &builder::float_to_signed_saturating>(floats<From>());
  expect_converted<std::int16_t, &builder::float_to_signed_saturating>(floats<From>());
  expect_converted<std::int32_t, &builder::float_to_signed_saturating>(floats<From>());
  expect_converted<std::int64_t, &builder::float_to_signed_saturating>(floats<From>());
  expect_converted<std::uint8_t, &builder::float_to_unsigned_saturating>(floats<From>());
  expect_converted<std::uint32_t, &builder::float_to_unsigned_saturating>(floats<From>());
  expect_converted<std::uint64_t, &builder::float_to_unsigned_saturating>(floats<From>());
}

TEST(CpuIr, SaturatesFloats) {
  expect_saturation<float>();
  expect_saturation<double>();
}

TEST(CpuIr, ConvertsBetweenFloats) {
  expect_converted<double, &builder::float_extend>(floats<float>());
  expect_converted<float, &builder::float_truncate>(floats<double>());
  std::vector<f16> halves;
  std::vector<float> singles_near;
  for (unsigned bits = 0; bits < 0x10000; bits += 17) {
    const auto half = std::bit_cast<f16>(static_cast<std::uint16_t>(bits));
    const float single = static_cast<float>(half);
    if (std::isnan(single)) continue;
    halves.push_back(half);
    for (const float by : {0.99999F, 1.0F, 1.0002441F, 1.0005F}) singles_near.push_back(single * by);
  }
  expect_converted<float, &builder::float_extend>(halves);
  expect_converted<double, &builder::float_extend>(halves);
  expect_converted<f16, &builder::float_truncate>(singles_near);
}

TEST(CpuIr, KeepsBits) {
  expect_lanes<std::int32_t>(
      "f32 as i32", singles(floats<float>()),
      [](builder& code, value v) { return code.bit_cast(v, code.type_of(v).of(scalar_type::i32)); },
      [](float v) { return std::bit_cast<std::int32_t>(v); });
  expect_lanes<std::int64_t>(
      "i64 as pointer and back", singles(integers<std::int64_t>()),
      [](builder& code, value v) {
        const value address = code.bit_cast(v, code.type_of(v).of(scalar_type::pointer));
        return code.bit_cast(address, code.type_of(v));
      },
      [](std::int64_t v) { return v; });
}

}  // namespace
}  // namespace tilewright::test
