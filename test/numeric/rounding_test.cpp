// SPDX-License-Identifier: Apache-2.0
// Arithmetic that rounds toward zero, downward and upward, on every back end: the result is next to the exact one, on
// the side that was asked for, where both are compared without any rounding.
#include <cmath>
#include <limits>
#include <random>

#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "support/exact_sum.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::rounding;

constexpr op rounded_ops[] = {op::add, op::subtract, op::multiply, op::divide, op::sqrt, op::fma};
constexpr rounding directed[] = {rounding::toward_zero, rounding::downward, rounding::upward};

struct operands {
  double a = 0, b = 0, c = 0;
};

// The sign of the exact result minus `guess`, all of them finite; of a quotient and a root without computing either.
int compared(op which, const operands& x, double guess) {
  exact_sum rest;
  switch (which) {
    case op::add:
      rest.add(x.a, 1);
      rest.add(x.b, 1);
      break;
    case op::subtract:
      rest.add(x.a, 1);
      rest.add(x.b, -1);
      break;
    case op::multiply:
      rest.add(x.a, x.b);
      break;
    case op::fma:
      rest.add(x.a, x.b);
      rest.add(x.c, 1);
      break;
    case op::divide:
      rest.add(x.a, 1);
      rest.add(guess, -x.b);
      return rest.sign() * (x.b < 0 ? -1 : 1);
    default:
      rest.add(x.a, 1);
      rest.add(guess, -guess);
      return rest.sign();
  }
  rest.add(guess, -1);
  return rest.sign();
}

// Whether an operation of the nearest rounding says all: an operand or the result is no finite number.
bool is_special(op which, const operands& x) {
  const bool is_finite = std::isfinite(x.a) && std::isfinite(x.b) && std::isfinite(x.c);
  return !is_finite || (which == op::divide && x.b == 0) || (which == op::sqrt && x.a < 0);
}

double nearest(op which, const operands& x) {
  switch (which) {
    case op::add:
      return x.a + x.b;
    case op::subtract:
      return x.a - x.b;
    case op::multiply:
      return x.a * x.b;
    case op::divide:
      return x.a / x.b;
    case op::sqrt:
      return std::sqrt(x.a);
    default:
      return std::fma(x.a, x.b, x.c);
  }
}

// A result of 0 has a sign: that of a product and a quotient, or as the comment of `upward` says of sums.
bool has_sign_minus(op which, rounding how, const operands& x) {
  const bool a = std::signbit(x.a), b = std::signbit(x.b) != (which == op::subtract);
  if (which == op::multiply || which == op::divide) return std::signbit(x.a) != std::signbit(x.b);
  if (which == op::sqrt) return a;
  const bool first = which == op::fma ? std::signbit(x.a) != std::signbit(x.b) : a;
  const bool second = which == op::fma ? std::signbit(x.c) : b;
  return how == rounding::downward ? first || second : first && second;
}

template <class T>
bool is_right(op which, rounding how, const operands& x, T got) {
  constexpr T infinity = std::numeric_limits<T>::infinity(), greatest = std::numeric_limits<T>::max();
  if (is_special(which, x)) {
    const double expected = nearest(which, x);
    return std::isnan(expected) ? std::isnan(got) : got == expected && std::signbit(got) == std::signbit(expected);
  }
  if (std::isnan(got)) return false;
  // Of an infinity as result: past the greatest number.
  const double finite = std::isinf(got) ? std::copysign(static_cast<double>(greatest), got) : static_cast<double>(got);
  const int side = compared(which, x, finite);
  if (std::isinf(got)) return how == (got > 0 ? rounding::upward : rounding::downward) && side == (got > 0 ? 1 : -1);
  if (side == 0 && got == 0) return std::signbit(got) == has_sign_minus(which, how, x);
  if (side == 0) return true;
  // From here on the exact result lies between two neighbours, of which `got` is one.
  const bool is_negative = compared(which, x, 0) < 0;
  const bool is_up = how == rounding::upward || (how == rounding::toward_zero && is_negative);
  if (side != (is_up ? -1 : 1)) return false;
  if (got == 0 && std::signbit(got) != is_negative) return false;
  const T other = std::nextafter(got, is_up ? -infinity : infinity);
  return std::isinf(other) || compared(which, x, static_cast<double>(other)) == -side;
}

// Numbers next to all edges, and any bits.
template <class T>
std::vector<operands> cases() {
  using limits = std::numeric_limits<T>;
  const T edges[] = {0,
                     T(-0.0),
                     1,
                     -1,
                     3,
                     T(0.1),
                     limits::denorm_min(),
                     -limits::denorm_min(),
                     3 * limits::denorm_min(),
                     limits::min(),
                     -limits::min() + limits::denorm_min(),
                     limits::max(),
                     -limits::max(),
                     limits::max() / 2,
                     limits::epsilon(),
                     1 + limits::epsilon(),
                     1 - limits::epsilon() / 2,
                     std::sqrt(limits::min()),
                     -std::sqrt(limits::max()),
                     limits::infinity(),
                     -limits::infinity(),
                     limits::quiet_NaN()};
  std::vector<operands> all;
  for (const T a : edges) {
    for (const T b : edges) {
      for (const T c : edges) all.push_back({a, b, c});
    }
  }
  std::mt19937_64 random(2026);
  const auto any = [&] {
    T value;
    do {
      const std::uint64_t bits = random();
      std::memcpy(&value, &bits, sizeof value);
    } while (std::isnan(value));
    return value;
  };
  const auto near_one = [&] { return static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-53 + 0.5); };
  for (int n = 0; n < 20000; ++n) all.push_back({any(), any(), any()});
  for (int n = 0; n < 20000; ++n) {
    const T a = near_one(), b = near_one();
    all.push_back({a, b, -std::fma(a, b, n % 3 == 0 ? T(0) : limits::epsilon() * near_one())});
  }
  return all;
}

class Rounding : public BackEndTest {
 protected:
  template <class T>
  void check(op which, rounding how, const std::vector<operands>& all) {
    SCOPED_TRACE(std::string(ast::info(which).name) + " " + ast::name_of(how) + " of " + info(dtype_of<T>).name);
    const auto count = static_cast<index_t>(all.size());
    host_array a(dtype_of<T>, {count}), b(dtype_of<T>, {count}), c(dtype_of<T>, {count}), z(dtype_of<T>, {count});
    for (index_t i = 0; i < count; ++i) {
      a.set(i, all[static_cast<std::size_t>(i)].a);
      b.set(i, all[static_cast<std::size_t>(i)].b);
      c.set(i, all[static_cast<std::size_t>(i)].c);
    }
    constexpr std::int32_t width = 96;
    const value_type tile = type_of(dtype_of<T>, {width});
    program_builder p;
    const int inputs[] = {p.in(dtype_of<T>, 1), p.in(dtype_of<T>, 1), p.in(dtype_of<T>, 1)};
    std::vector<value_id> given;
    for (int n = 0; n < ast::info(which).operands; ++n) given.push_back(p.load(inputs[n], tile));
    p.store(p.out(dtype_of<T>, {width}), p.value(which, tile, given, {static_cast<std::int64_t>(how)}));
    run_here(p.result(), {a.argument(), b.argument(), c.argument(), z.argument()}, {(count + width - 1) / width});
    int wrong = 0;
    for (index_t i = 0; i < count && wrong < 5; ++i) {
      operands used = all[static_cast<std::size_t>(i)];
      if (ast::info(which).operands < 3) used.c = 0;
      if (ast::info(which).operands < 2) used.b = 0;
      const T got = static_cast<T>(decode_float(dtype_of<T>, z.bits(i)));
      if (is_right(which, how, used, got)) continue;
      ++wrong;
      ADD_FAILURE() << std::hexfloat << used.a << ", " << used.b << ", " << used.c << " gave " << got;
    }
  }
};

TEST_P(Rounding, GivesTheNeighbourOfTheExactResultThatWasAskedFor) {
  const std::vector<operands> narrow = cases<float>(), wide = cases<double>();
  for (const op which : rounded_ops) {
    for (const rounding how : directed) {
      check<float>(which, how, narrow);
      check<double>(which, how, wide);
    }
  }
}

// Neither computed ahead to nearest even, nor taken for the same operation to nearest even; in a combiner too.
constexpr auto thirds =
    kernel<"thirds">([](Block b, Out<f32, 4> x, Out<f32, 4> y, Out<f32, 4> z, Out<f32, 2, 1> w, In<f32, 2, 2> pairs) {
      auto one = b.full<f32>(tile<4>, 1);
      x.store(downward.divide(one, 3));
      y.store(one / 3);
      z.store(upward.divide(one, 3));
      auto [sum] = reduce<1>(values(pairs.load(tile<2, 2>, 0, 0)), identity(0),
                             [](auto left, auto right) { return values(upward.add(left.first, right.first)); });
      w.store(sum);
    });

TEST_P(Rounding, OfConstantsAndInCombinersIsAsStated) {
  const host_array x(dtype::f32, {4}), y(dtype::f32, {4}), z(dtype::f32, {4}), w(dtype::f32, {2, 1});
  const host_array pairs(dtype::f32, {2, 2}, std::vector<double>{1, 0x1p-40, -1, 0x1p-40});
  std::vector<compiler::argument> arguments{x.argument(), y.argument(), z.argument(), w.argument(), pairs.argument()};
  for (compiler::argument& each : arguments) std::copy_n(each.extents.begin(), max_rank, each.piece.begin());
  run_module(thirds.module(), GetParam(), arguments);
  for (index_t i = 0; i < 4; ++i) {
    EXPECT_EQ(y.get<float>(i), 1.0F / 3);
    EXPECT_EQ(z.get<float>(i), 1.0F / 3);  // to nearest it goes up
    EXPECT_EQ(x.get<float>(i), std::nextafter(1.0F / 3, 0.0F));
  }
  EXPECT_EQ(w.get<float>(0), std::nextafter(1.0F, 2.0F));
  EXPECT_EQ(w.get<float>(1), std::nextafter(-1.0F, 0.0F));
}

TILEWRIGHT_ON_EVERY_BACK_END(Rounding);

}  // namespace
}  // namespace tilewright::test
