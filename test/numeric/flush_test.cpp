// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 without denormals, and approximate arithmetic, on every back end; and the lesser and greater of
// which NaN loses.
#include <cmath>
#include <limits>
#include <random>

#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::rounding;
using limits = std::numeric_limits<float>;

constexpr float denormal = limits::denorm_min(), least = limits::min();
constexpr float nan = limits::quiet_NaN(), infinity = limits::infinity();

struct operands {
  float a = 0, b = 0, c = 0;
};

float flushed(double x) {
  const auto narrow = static_cast<float>(x);
  return std::abs(narrow) < least ? std::copysign(0.0F, narrow) : narrow;
}

// In double, whose one more rounding to f32 changes no sum, product, quotient or root of two f32.
double reference(op which, const operands& x) {
  const double a = static_cast<double>(x.a), b = static_cast<double>(x.b);
  switch (which) {
    case op::add:
      return a + b;
    case op::subtract:
      return a - b;
    case op::multiply:
      return a * b;
    case op::divide:
      return a / b;
    case op::sqrt:
      return std::sqrt(a);
    case op::rsqrt:
      return 1 / std::sqrt(a);
    case op::exp2:
      return std::exp2(a);
    case op::tanh:
      return std::tanh(a);
    case op::fma:
      return static_cast<double>(std::fma(x.a, x.b, x.c));
    default:
      break;
  }
  if (std::isnan(a) || std::isnan(b)) return static_cast<double>(nan);
  if (a == b) return std::signbit(a) == (which == op::minimum) ? a : b;
  return (a < b) == (which == op::minimum) ? a : b;
}

bool is_same(float got, float expected) {
  if (std::isnan(expected)) return std::isnan(got);
  return got == expected && std::signbit(got) == std::signbit(expected);
}

// The distance to the next f32 away from 0, as error bounds count.
double ulp(double x) {
  const float narrow = std::max(std::abs(static_cast<float>(x)), least);
  return static_cast<double>(narrow) - static_cast<double>(std::nextafter(narrow, 0.0F));
}

std::vector<operands> cases() {
  const float edges[] = {0,
                         -0.0F,
                         1,
                         -1,
                         3,
                         0.1F,
                         denormal,
                         -denormal,
                         least,
                         -least,
                         least / 2,
                         40,
                         -least / 2,
                         2 * least,
                         least - denormal,
                         denormal - least,
                         -126,
                         1.5F * least,
                         0x1p-64F,
                         0x1p63F,
                         limits::max(),
                         -limits::max(),
                         1 - limits::epsilon() / 2,
                         nan,
                         infinity,
                         -infinity,
                         -149,
                         0x1p-127F};
  std::vector<operands> all;
  for (const float a : edges) {
    for (const float b : edges) {
      for (const float c : edges) all.push_back({a, b, c});
    }
  }
  std::mt19937 random(2026);
  const auto any = [&] {
    const auto bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  // Of either size, and small ones whose sums and products are denormals or next to them.
  for (int n = 0; n < 10000; ++n) all.push_back({any(), any(), any()});
  for (int n = 0; n < 10000; ++n) {
    const float scale = std::scalbn(1.0F, static_cast<int>(random() % 40) - 10);
    all.push_back({any(), least * scale, denormal * static_cast<float>(random() % (1U << 24))});
    all.push_back({least * scale, static_cast<float>(random()) * 0x1p-32F, -least * scale * 0.75F});
  }
  return all;
}

class Flush : public BackEndTest {
 protected:
  template <class IsRight>
  void check(op which, rounding how, const std::vector<operands>& all, IsRight is_right) {
    SCOPED_TRACE(std::string(ast::info(which).name) + " " + ast::name_of(how));
    const auto count = static_cast<index_t>(all.size());
    host_array a(dtype::f32, {count}), b(dtype::f32, {count}), c(dtype::f32, {count}), z(dtype::f32, {count});
    for (index_t i = 0; i < count; ++i) {
      const operands& x = all[static_cast<std::size_t>(i)];
      a.set(i, static_cast<double>(x.a)), b.set(i, static_cast<double>(x.b)), c.set(i, static_cast<double>(x.c));
    }
    constexpr std::int32_t width = 96;
    const value_type tile = type_of(dtype::f32, {width});
    program_builder p;
    const int inputs[] = {p.in(dtype::f32, 1), p.in(dtype::f32, 1), p.in(dtype::f32, 1)};
    std::vector<value_id> given;
    for (int n = 0; n < ast::info(which).operands; ++n) given.push_back(p.load(inputs[n], tile));
    p.store(p.out(dtype::f32, {width}), p.value(which, tile, given, {static_cast<std::int64_t>(how)}));
    run_here(p.result(), {a.argument(), b.argument(), c.argument(), z.argument()}, {(count + width - 1) / width});
    int wrong = 0;
    for (index_t i = 0; i < count && wrong < 5; ++i) {
      const operands& x = all[static_cast<std::size_t>(i)];
      const float got = z.get<float>(i);
      if (is_right(x, got)) continue;
      ++wrong;
      ADD_FAILURE() << std::hexfloat << x.a << ", " << x.b << ", " << x.c << " gave " << got;
    }
  }
};

TEST_P(Flush, TakesDenormalsForZerosOfTheirSign) {
  const std::vector<operands> all = cases();
  for (const op which : {op::add, op::subtract, op::multiply, op::divide, op::sqrt, op::fma, op::minimum, op::maximum,
                         op::rsqrt, op::exp2}) {
    const double bound = ast::info(which).ulp > 0.5 ? ast::info(which).ulp : 0;
    check(which, rounding::flushed, all, [&](const operands& x, float got) {
      const operands used = {flushed(static_cast<double>(x.a)), flushed(static_cast<double>(x.b)),
                             flushed(static_cast<double>(x.c))};
      const double exact = reference(which, used);
      const float expected = flushed(exact);
      if (is_same(got, expected)) return true;
      const bool may_vanish = GetParam().name == "gpu" && std::abs(exact) <= static_cast<double>(least);
      if (may_vanish && is_same(got, std::copysign(0.0F, expected))) return true;
      return expected != 0 && std::isfinite(expected) && got >= least &&
             std::abs(static_cast<double>(got) - exact) <= bound * ulp(exact);
    });
  }
}

// The bounds that docs/reference/functions.md states.
TEST_P(Flush, ApproximationsAreWithinTheirBounds) {
  const std::vector<operands> all = cases();
  const auto near = [](double exact, float got, double error) {
    if (!std::isfinite(static_cast<float>(exact))) return is_same(got, static_cast<float>(exact));
    return std::abs(static_cast<double>(got) - exact) <= error + static_cast<double>(denormal) &&
           (got != 0 || exact != 0 || std::signbit(got) == std::signbit(exact));
  };
  const auto quotient = [&](const operands& x, float got) {
    const double exact = reference(op::divide, x);
    return near(exact, got, 2 * ulp(exact));
  };
  check(op::divide, rounding::full_range, all, quotient);
  check(op::divide, rounding::approximate, all, [&](const operands& x, float got) {
    const bool is_promised = std::abs(x.b) >= 0x1p-126F && std::abs(x.b) <= 0x1p126F;
    return !is_promised || quotient(x, got);
  });
  check(op::sqrt, rounding::approximate, all, [&](const operands& x, float got) {
    const double exact = reference(op::sqrt, x);
    return near(exact, got, exact * 0x1p-23);
  });
  check(op::tanh, rounding::approximate, all, [&](const operands& x, float got) {
    const double exact = reference(op::tanh, x);
    return near(exact, got, std::abs(exact) * 0x1p-11);
  });
}

// Neither computed ahead, nor taken for the usual operation on the same operands; in a combiner too.
constexpr auto halves =
    kernel<"halves">([](Block b, Out<f32, 4> x, Out<f32, 4> y, Out<f32, 4> z, Out<f32, 2, 1> w, In<f32, 2, 2> pairs) {
      auto small = b.full<f32>(tile<4>, 0x1p-126f);
      x.store(small * 0.5f);
      y.store(flush_denormals.multiply(small, 0.5f));
      z.store(flush_denormals.max(flush_denormals.multiply(small, -0.5f), small * -0.5f));
      auto [sum] = reduce<1>(values(pairs.load(tile<2, 2>, 0, 0)), identity(0), [](auto left, auto right) {
        return values(flush_denormals.add(left.first, right.first));
      });
      w.store(sum);
    });

TEST_P(Flush, OfConstantsAndInCombinersIsAsStated) {
  const host_array x(dtype::f32, {4}), y(dtype::f32, {4}), z(dtype::f32, {4}), w(dtype::f32, {2, 1});
  const host_array pairs(dtype::f32, {2, 2}, std::vector<double>{0x1p-127, 0x1p-127, 1, 0x1p-140});
  std::vector<compiler::argument> arguments{x.argument(), y.argument(), z.argument(), w.argument(), pairs.argument()};
  for (compiler::argument& each : arguments) std::copy_n(each.extents.begin(), max_rank, each.piece.begin());
  run_module(halves.module(), GetParam(), arguments);
  for (index_t i = 0; i < 4; ++i) {
    EXPECT_EQ(x.get<float>(i), 0x1p-127F);
    EXPECT_TRUE(is_same(y.get<float>(i), 0.0F));
    EXPECT_TRUE(is_same(z.get<float>(i), -0.0F));
  }
  EXPECT_EQ(w.get<float>(0), 0);
  EXPECT_EQ(w.get<float>(1), 1);
}

template <class T>
constexpr auto extremes = kernel<"extremes">([](Out<T, 64> least_of, Out<T, 64> greatest_of, Out<T, 8, 1> of_rows,
                                                In<T, 64> a, In<T, 64> b, In<T, 8, 8> rows) {
  least_of.store(min_number(a.load(tile<64>, 0), b.load(tile<64>, 0)));
  greatest_of.store(max_number(a.load(tile<64>, 0), b.load(tile<64>, 0)));
  auto [best] = reduce<1>(values(rows.load(tile<8, 8>, 0, 0)), identity(-__builtin_inf()),
                          [](auto left, auto right) { return values(max_number(left.first, right.first)); });
  of_rows.store(best);
});

template <class T>
void check_extremes(const back_end& where) {
  constexpr dtype element = dtype_of<T>;
  const double edges[] = {0.0, -0.0, 1, -1, 0.5, __builtin_nan(""), __builtin_inf(), -__builtin_inf()};
  const host_array low(element, {64}), high(element, {64}), best(element, {8, 1});
  host_array a(element, {64}), b(element, {64}), rows(element, {8, 8});
  for (index_t i = 0; i < 64; ++i) {
    a.set(i, edges[i / 8]), b.set(i, edges[i % 8]);
    rows.set(i, i / 8 < i % 8 ? edges[5] : static_cast<double>(-i));  // a number first, then one NaN less in each row
  }
  std::vector<compiler::argument> arguments{low.argument(), high.argument(), best.argument(),
                                            a.argument(),   b.argument(),    rows.argument()};
  for (compiler::argument& each : arguments) std::copy_n(each.extents.begin(), max_rank, each.piece.begin());
  run_module(extremes<T>.module(), where, arguments);
  const auto as_float = [](const host_array& x, index_t i) {
    return static_cast<float>(decode_float(element, x.bits(i)));
  };
  for (index_t i = 0; i < 64; ++i) {
    const auto x = static_cast<float>(edges[i / 8]), y = static_cast<float>(edges[i % 8]);
    const float p = std::isnan(x) ? y : x, q = std::isnan(y) ? x : y;
    const operands both{p, q, 0};
    EXPECT_TRUE(is_same(as_float(low, i), static_cast<float>(reference(op::minimum, both)))) << x << " and " << y;
    EXPECT_TRUE(is_same(as_float(high, i), static_cast<float>(reference(op::maximum, both)))) << x << " and " << y;
  }
  for (index_t row = 0; row < 8; ++row) EXPECT_EQ(as_float(best, row), static_cast<float>(-8 * row)) << row;
}

TEST_P(Flush, NaNLosesWhereANumberIsAskedFor) {
  check_extremes<f16>(GetParam());
  check_extremes<bf16>(GetParam());
  check_extremes<f32>(GetParam());
  check_extremes<f64>(GetParam());
}

TILEWRIGHT_ON_EVERY_BACK_END(Flush);

}  // namespace
}  // namespace tilewright::test
