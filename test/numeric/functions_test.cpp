// SPDX-License-Identifier: Apache-2.0
// Functions made of other operations (lang/functions.hpp), over special values and sweeps, on every back end: against
// long double under the bound that each states, zeros with their sign.
#include <random>

#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/lang_run.hpp"
#include "numeric/special_values.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

using bits_list = std::vector<std::uint64_t>;
constexpr Dim B{"B"};
constexpr index_t width = 64;

template <auto Function, class To, class T>
constexpr auto of_one = kernel<"of_one">([](Out<To, B> z, In<T, dyn> x) { z.store(Function(load_like(x, z))); });
template <auto Function, class T>
constexpr auto of_two = kernel<"of_two">([](Out<T, B> z, In<T, dyn> x, In<T, dyn> y) {
  z.store(Function(load_like(x, z), load_like(y, z)));
});

// Special values, and for floats: an even sweep, and one of magnitudes, over all that these functions distinguish.
bits_list inputs(dtype element) {
  bits_list all = special_values(element);
  if (!is_floating(element)) return all;
  std::mt19937 random(20240229);
  const auto unit = [&]() { return static_cast<double>(random()) / 4294967295.0; };
  for (int i = 0; i < 1500; ++i) {
    all.push_back(encode(element, 240 * unit() - 120));
    all.push_back(encode(element, 24 * unit() - 12));
    all.push_back(encode(element, std::exp2(40 * unit() - 33) * (random() % 2 == 0 ? 1 : -1)));
  }
  return all;
}

host_array array_of(dtype element, const bits_list& values) {
  host_array made(element, {static_cast<index_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) made.set_bits(static_cast<index_t>(i), values[i]);
  return made;
}

real nothing_more(dtype, real) { return 0; }

class Functions : public BackEndTest {
 protected:
  // The output of a kernel whose other parameters are these.
  host_array compute(const ast::module_view& module, dtype result, const std::vector<host_array>& operands) {
    const host_array made(result, operands[0].extents());
    std::vector<compiler::argument> arguments{made.argument()};
    arguments[0].piece[0] = width;
    for (const host_array& operand : operands) arguments.push_back(operand.argument());
    run_module(module, GetParam(), arguments);
    return made;
  }

  // Function within `ulp` of the reference and lost(f32 or f64, x) more, in f16, bf16, f32 and f64.
  template <auto Function, class Reference, class Lost>
  void expect_floats(Reference reference, double ulp, Lost lost) {
    expect_in<Function, f16>(reference, ulp, lost);
    expect_in<Function, bf16>(reference, ulp, lost);
    expect_in<Function, f32>(reference, ulp, lost);
    expect_in<Function, f64>(reference, ulp, lost);
  }
  template <auto Function, class Reference>
  void expect_floats(Reference reference, double ulp) {
    expect_floats<Function>(reference, ulp, nothing_more);
  }

  // As expect_floats, without f64.
  template <auto Function, class Reference, class Lost>
  void expect_single_floats(Reference reference, double ulp, Lost lost) {
    expect_in<Function, f16>(reference, ulp, lost);
    expect_in<Function, bf16>(reference, ulp, lost);
    expect_in<Function, f32>(reference, ulp, lost);
  }

  template <auto Function, class T, class Reference, class Lost>
  void expect_in(Reference reference, double ulp, Lost lost) {
    constexpr dtype element = dtype_of<T>;
    SCOPED_TRACE(info(element).name);
    const host_array x = array_of(element, inputs(element));
    const host_array got = compute(of_one<Function, T, T>.module(), element, {x});
    double greatest = 0;
    for (index_t i = 0; i < x.size() && !HasFailure(); ++i) {
      const real value = decode_float(element, x.bits(i)), exact = reference(value);
      const real more = lost(element == dtype::f64 ? element : dtype::f32, value) / spacing(element, exact);
      const double allowed = bound_in(element, ulp) + static_cast<double>(more);
      EXPECT_TRUE(is_close(element, got.bits(i), exact, allowed)) << "of " << value;
      const real result = decode_float(element, got.bits(i));
      if (exact == 0 && result == 0) {
        EXPECT_EQ(std::signbit(result), std::signbit(exact)) << "of " << value;
      }
      if (std::isfinite(exact) && std::isfinite(result)) {
        greatest = std::max(greatest, static_cast<double>(std::fabs(result - exact) / spacing(element, exact) - more));
      }
    }
    RecordProperty(std::string("greatest_ulp_") + info(element).name, std::to_string(greatest));
  }

  template <auto Function, class... T, class Reference>
  void expect_integers(Reference reference) {
    (expect_integers_in<Function, T>(reference), ...);
  }
  template <auto Function, class T, class Reference>
  void expect_integers_in(Reference reference) {
    constexpr dtype element = dtype_of<T>;
    SCOPED_TRACE(info(element).name);
    const host_array x = array_of(element, special_values(element));
    const host_array got = compute(of_one<Function, T, T>.module(), element, {x});
    for (index_t i = 0; i < x.size() && !HasFailure(); ++i) {
      const whole value = decode_integer(element, x.bits(i));
      EXPECT_TRUE(is_same(element, got.bits(i), low_bits(element, static_cast<std::uint64_t>(reference(value)))))
          << "of " << static_cast<double>(value);
    }
  }
};

// What a product with x loses where its other factor, or that one's factor, is denormal.
real lost_below_normal(dtype element, real x) { return std::isfinite(x) ? 4 * std::fabs(x) * spacing(element, 0) : 0; }

real exact_sigmoid(real x) { return 1 / (1 + std::exp(-x)); }

TEST_P(Functions, SigmoidIsWithinSixUlp) {
  expect_floats<[](const auto& x) { return sigmoid(x); }>(exact_sigmoid, 6);
}

TEST_P(Functions, SiluIsWithinSixUlpAndMinusZeroAtMinusInfinity) {
  expect_floats<[](const auto& x) { return silu(x); }>(
      [](real x) { return x == -HUGE_VALL ? -0.0L : x * exact_sigmoid(x); }, 6, lost_below_normal);
}

// The exponent v and its coefficients are rounded four times, which e^v makes |v| times as much.
TEST_P(Functions, GeluTanhIsWithinItsBound) {
  const auto exponent = [](real x) { return std::sqrt(8 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x); };
  const auto reference = [&](real x) { return x == -HUGE_VALL ? -0.0L : x * exact_sigmoid(exponent(x)); };
  const auto lost = [&](dtype element, real x) {
    const real v = exponent(x), result = reference(x);
    const real of_exponent = v < 0 && std::isfinite(v) ? -2 * v * std::fabs(result) * spacing(element, 1) : 0;
    return of_exponent + lost_below_normal(element, x);
  };
  expect_floats<[](const auto& x) { return gelu_tanh(x); }>(reference, 6, lost);
}

TEST_P(Functions, GeluIsWithinTenUlpAndMinusZeroAtMinusInfinity) {
  expect_single_floats<[](const auto& x) { return gelu(x); }>(
      [](real x) { return x == -HUGE_VALL ? -0.0L : x * std::erfc(-x / std::sqrt(2.0L)) / 2; }, 10, lost_below_normal);
}

TEST_P(Functions, ErfIsWithinThreeUlp) {
  expect_single_floats<[](const auto& x) { return erf(x); }>([](real x) { return std::erf(x); }, 3, nothing_more);
}

TEST_P(Functions, ErfcIsWithinEightUlp) {
  expect_single_floats<[](const auto& x) { return erfc(x); }>([](real x) { return std::erfc(x); }, 8, nothing_more);
}

TEST_P(Functions, SoftplusIsWithinSevenUlp) {
  expect_floats<[](const auto& x) { return softplus(x); }>(
      [](real x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }, 7);
}

TEST_P(Functions, Expm1IsWithinSevenUlp) {
  expect_floats<[](const auto& x) { return expm1(x); }>([](real x) { return std::expm1(x); }, 7);
}

TEST_P(Functions, Log1pIsWithinFiveUlp) {
  expect_floats<[](const auto& x) { return log1p(x); }>([](real x) { return std::log1p(x); }, 5);
}

// ---- Exact ones
TEST_P(Functions, RoundingIsExactAndKeepsTheSignOfZero) {
  expect_floats<[](const auto& x) { return trunc(x); }>([](real x) { return std::trunc(x); }, 0);
  expect_floats<[](const auto& x) { return round_half_even(x); }>([](real x) { return std::nearbyint(x); }, 0);
  expect_floats<[](const auto& x) { return round_half_away(x); }>([](real x) { return std::round(x); }, 0);
}

// Halves, their neighbours, and where fractions end.
TEST_P(Functions, RoundingOfHalvesIsExact) {
  bits_list bits;
  for (const double half : {0.5, 1.5, 2.5, 3.5, 4194303.5, 8388607.5, 8388608.0, 8388609.0, 16777215.0}) {
    for (const int step : {-1, 0, 1}) {
      const auto word = encode(dtype::f32, half) + static_cast<std::uint64_t>(step);
      bits.push_back(word & 0xffffffff);
      bits.push_back((word & 0xffffffff) | 0x80000000);
    }
  }
  const host_array x = array_of(dtype::f32, bits);
  constexpr auto even = [](const auto& v) { return round_half_even(v); };
  constexpr auto away = [](const auto& v) { return round_half_away(v); };
  const host_array to_even = compute(of_one<even, f32, f32>.module(), dtype::f32, {x});
  const host_array from_zero = compute(of_one<away, f32, f32>.module(), dtype::f32, {x});
  for (index_t i = 0; i < x.size(); ++i) {
    const auto value = x.get<float>(i);
    EXPECT_EQ(to_even.get<float>(i), std::nearbyint(value));
    EXPECT_EQ(from_zero.get<float>(i), std::round(value));
  }
}

TEST_P(Functions, SignIsExact) {
  expect_floats<[](const auto& x) { return sign(x); }>([](real x) { return x > 0 ? 1.0L : x < 0 ? -1.0L : x; }, 0);
  expect_integers<[](const auto& x) { return sign(x); }, i8, i32, i64, u8, u32, u64>([](whole x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
  });
}

TEST_P(Functions, ReluIsExact) {
  expect_floats<[](const auto& x) { return relu(x); }>([](real x) { return x > 0 || std::isnan(x) ? x : 0.0L; }, 0);
  expect_integers<[](const auto& x) { return relu(x); }, i8, i32, i64, u8, u32, u64>(
      [](whole x) { return x > 0 ? x : 0; });
}

TEST_P(Functions, ClampIsExactAndHighWins) {
  expect_floats<[](const auto& x) { return clamp(x, -1.5f, 3); }>(
      [](real x) { return x < -1.5L ? -1.5L
                          : x > 3   ? 3
                                    : x; }, 0);
  expect_floats<[](const auto& x) { return clamp(x, 2, -x * 0.0f); }>(
      [](real x) { return std::isfinite(x) ? (std::signbit(x) ? 0.0L : -0.0L) : real{NAN}; }, 0);
  expect_integers<[](const auto& x) { return clamp(x, 3, 100); }, i8, i32, i64, u8, u32, u64>([](whole x) {
    return x < 3 ? 3 : x > 100 ? 100 : x;
  });
}

// ---- Indicators
template <class T, class Id>
constexpr auto indicate = kernel<"indicate">([](Block b, Out<T, 8, 5> z, In<Id, dyn> ids) {
  z.store(one_hot<T, 5>(ids.load(tile<8>, b.pid(0))));
});

template <class T, class Id>
void expect_indicators(const back_end& where) {
  constexpr dtype element = dtype_of<Id>;
  SCOPED_TRACE(testing::Message() << info(dtype_of<T>).name << " of " << info(element).name);
  const host_array ids = array_of(element, special_values(element));
  const host_array got(dtype_of<T>, {ids.size(), 5});
  std::vector<compiler::argument> arguments{got.argument(), ids.argument()};
  arguments[0].piece = {8, 5};
  run_module(indicate<T, Id>.module(), where, arguments);
  for (index_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got.get<int>(i), decode_integer(element, ids.bits(i / 5)) == i % 5 ? 1 : 0) << "element " << i;
  }
}

TEST_P(Functions, OneHotIsExactAndZeroOutside) {
  expect_indicators<f32, i32>(GetParam());
  expect_indicators<f16, u8>(GetParam());
  expect_indicators<i8, u32>(GetParam());
  expect_indicators<bool, i64>(GetParam());
  expect_indicators<bf16, u64>(GetParam());
  expect_indicators<i64, i16>(GetParam());
}

// ---- Rotations
std::uint64_t turned(dtype element, std::uint64_t bits, int left) {
  const int size = info(element).bits, by = (left % size + size) % size;
  return by == 0 ? bits : low_bits(element, bits << by) | bits >> (size - by);
}

template <class... T>
struct elements {};
using integers = elements<i8, i16, i32, i64, u8, u16, u32, u64>;

TEST_P(Functions, RotationsByANumberAreExact) {
  const auto check = [&]<class T>() {
    constexpr dtype element = dtype_of<T>;
    SCOPED_TRACE(info(element).name);
    const host_array x = array_of(element, special_values(element));
    constexpr auto left = [](const auto& v) { return rotate_left(v, 3); };
    constexpr auto right = [](const auto& v) { return rotate_right(v, 67); };
    constexpr auto none = [](const auto& v) { return rotate_left(v, -64); };
    const host_array to_left = compute(of_one<left, T, T>.module(), element, {x});
    const host_array to_right = compute(of_one<right, T, T>.module(), element, {x});
    const host_array same = compute(of_one<none, T, T>.module(), element, {x});
    for (index_t i = 0; i < x.size() && !HasFailure(); ++i) {
      EXPECT_EQ(to_left.bits(i), turned(element, x.bits(i), 3)) << x.bits(i);
      EXPECT_EQ(to_right.bits(i), turned(element, x.bits(i), -67)) << x.bits(i);
      EXPECT_EQ(same.bits(i), x.bits(i));
    }
  };
  [&]<class... T>(elements<T...>) { (check.template operator()<T>(), ...); }(integers{});
}

TEST_P(Functions, RotationsByATileTakeAnyCount) {
  const auto check = [&]<class T>() {
    constexpr dtype element = dtype_of<T>;
    SCOPED_TRACE(info(element).name);
    const bits_list counts = special_values(element);
    const host_array by = array_of(element, counts);
    const host_array x = array_of(element, bits_list(counts.rbegin(), counts.rend()));
    constexpr auto left = [](const auto& v, const auto& n) { return rotate_left(v, n); };
    constexpr auto right = [](const auto& v, const auto& n) { return rotate_right(v, n); };
    const host_array to_left = compute(of_two<left, T>.module(), element, {x, by});
    const host_array to_right = compute(of_two<right, T>.module(), element, {x, by});
    for (index_t i = 0; i < x.size() && !HasFailure(); ++i) {
      const int places = static_cast<int>(by.bits(i) % static_cast<std::uint64_t>(info(element).bits));
      EXPECT_EQ(to_left.bits(i), turned(element, x.bits(i), places)) << x.bits(i) << " by " << places;
      EXPECT_EQ(to_right.bits(i), turned(element, x.bits(i), -places)) << x.bits(i) << " by " << places;
    }
  };
  [&]<class... T>(elements<T...>) { (check.template operator()<T>(), ...); }(integers{});
}

TILEWRIGHT_ON_EVERY_BACK_END(Functions);

}  // namespace
}  // namespace tilewright::test
