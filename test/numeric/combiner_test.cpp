// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of several tiles by a combiner (lang/combiner.hpp) along each axis of odd and even shapes, on
// every back end, against the same in f64 or in integers.
#include <cmath>
#include <random>

#include "numeric/axis_lines.hpp"
#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

constexpr double ulp = 0x1p-23;  // of f32 at 1
constexpr float nan = __builtin_nanf("");

// ---- Kernels, whose results are as large as their operands: reductions repeat theirs along the axis
template <int Axis, Dim... E>
constexpr auto least = kernel<"least">([](Out<f32, E...> z, Out<i32, E...> p, Out<bool, E...> any, In<f32, E...> x,
                                          In<i32, E...> places) {
  auto v = load_like(x, z);
  auto [value, place, negative] =
      reduce<Axis>(values(v, load_like(places, z), v < 0), identity(inf, 0x7fffffff, false), [](auto l, auto r) {
        auto [a, i, m] = l;
        auto [b, j, n] = r;
        auto takes = (b < a) | ((b == a) & (j < i)) | (a != a);
        return values(select(takes, b, a), select(takes, j, i), m | n);
      });
  z.store(broadcast(value, tile<E...>));
  p.store(broadcast(place, tile<E...>));
  any.store(broadcast(negative, tile<E...>));
});

template <int Axis, Dim... E>
constexpr auto exponentials = kernel<"exponentials">([](Block b, Out<f32, E...> z, Out<f32, E...> s, In<f32, E...> x) {
  auto v = load_like(x, z);
  auto [greatest,
        sum] = reduce<Axis>(values(v, b.full<f32>(tile<E...>, 1)), identity(-inf, 0), [](const auto& l, const auto& r) {
    auto top = max(l.first, r.first);
    auto scaled = [&](const auto& of) { return select(of.first == top, of.second, of.second * exp(of.first - top)); };
    return values(top, scaled(l) + scaled(r));
  });
  z.store(broadcast(greatest, tile<E...>));
  s.store(broadcast(sum, tile<E...>));
});

template <int Axis, Dim... E>
constexpr auto moments = kernel<"moments">([](Block b, Out<f32, E...> z, Out<f32, E...> s, In<f32, E...> x) {
  auto [count, mean, squares] = reduce<Axis>(
      values(b.full<f32>(tile<E...>, 1), load_like(x, z), b.zeros<f32>(tile<E...>)), identity(0, 0, 0),
      [](auto l, auto r) {
        auto [n, mean_l, squares_l] = l;
        auto [m, mean_r, squares_r] = r;
        auto all = n + m, distance = mean_r - mean_l, part = m / max(all, 1);
        return values(all, mean_l + distance * part, squares_l + squares_r + distance * distance * n * part);
      });
  z.store(broadcast(mean, tile<E...>));
  s.store(broadcast(squares / count, tile<E...>));
});

// state = a * state + b
template <int Axis, scan_order Order, Dim... E>
constexpr auto recurrence = kernel<"recurrence">([](Out<f32, E...> z, In<f32, E...> a, In<f32, E...> b) {
  auto [factor, state] = scan<Axis, Order>(
      values(load_like(a, z), load_like(b, z)), identity(1, 0),
      [](auto left, auto right) { return values(left.first * right.first, right.first * left.second + right.second); });
  z.store(state);
});

// Products modulo 97, and sums that stop at a limit of the launch.
template <int Axis, Dim... E>
constexpr auto bounded = kernel<"bounded">([](Out<i32, E...> z, Out<i64, E...> y, In<i32, E...> x, Scalar<i64> limit) {
  auto [product] = reduce<Axis>(values(load_like(x, z)), identity(1), [](auto left, auto right) {
    auto [a] = left;
    auto [b] = right;
    a *= b;
    return values(a % 97);
  });
  z.store(broadcast(product, tile<E...>));
  auto [sum] = scan<Axis>(values(cast<i64>(load_like(x, z))), identity(0),
                          [&](auto left, auto right) { return values(min(left.first + right.first, limit)); });
  y.store(sum);
});

// Eight elements at once.
template <int Axis, scan_order Order, Dim... E>
constexpr auto of_eight = kernel<"of_eight">([](Out<f64, E...> z, Out<f64, E...> y, In<i32, E...> x) {
  auto v = load_like(x, z);
  auto total = [](const auto&... each) { return ((cast<f64>(each)) + ...); };
  auto tiles =
      values(cast<i8>(v), cast<u16>(v), v, cast<index_element>(v), cast<f16>(v), cast<bf16>(v), cast<f64>(v), v > 0);
  auto adds = [](auto l, auto r) {
    auto [a, b, c, d, e, f, g, h] = l;
    return values(a + r.first, b + r.second, c + r.third, d + r.fourth, e + r.fifth, f + r.sixth, g + r.seventh,
                  h | r.eighth);
  };
  auto zeros = identity(0, 0, 0, 0, 0, 0, 0, false);
  auto [a, b, c, d, e, f, g, h] = reduce<Axis>(tiles, zeros, adds);
  z.store(broadcast(total(a, b, c, cast<i64>(d), e, f, g) + select(h, cast<f64>(a) * 0 + 1000, 0), tile<E...>));
  auto [p, q, r, s, t, u, v8, w] = scan<Axis, Order>(tiles, zeros, adds);
  y.store(total(p, q, r, cast<i64>(s), t, u, v8) + select(w, cast<f64>(p) * 0 + 1000, 0));
});

using arrays = std::vector<host_array>;

class Combiner : public BackEndTest {
 protected:
  // Runs a module: outputs of these elements as its first parameters, then the inputs.
  arrays run_all(const ast::module_view& module, const std::vector<dtype>& outputs,
                 const std::vector<host_array>& inputs, const std::vector<compiler::argument>& scalars = {}) {
    arrays made;
    std::vector<compiler::argument> arguments;
    for (const dtype element : outputs) {
      made.emplace_back(element, inputs[0].extents());
      arguments.push_back(made.back().argument());
      std::copy(inputs[0].extents().begin(), inputs[0].extents().end(), arguments.back().piece.begin());
    }
    for (const host_array& input : inputs) arguments.push_back(input.argument());
    arguments.insert(arguments.end(), scalars.begin(), scalars.end());
    run_module(module, GetParam(), arguments);
    return made;
  }

  template <int Axis, int... E>
  void expect_least();
  template <int Axis, int... E>
  void expect_exponentials();
  template <int Axis, int... E>
  void expect_moments();
  template <int Axis, scan_order Order, int... E>
  void expect_recurrence();
  template <int Axis, int... E>
  void expect_bounded();
  template <int Axis, scan_order Order, int... E>
  void expect_of_eight();
};

// Floats between -range and range.
host_array random_floats(const std::vector<index_t>& extents, double range, unsigned seed) {
  host_array made(dtype::f32, extents);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> between(-range, range);
  for (index_t i = 0; i < made.size(); ++i) made.set(i, static_cast<float>(between(random)));
  return made;
}

template <int... E>
std::string shape_text(int axis) {
  return "axis " + std::to_string(axis) + " of " + testing::PrintToString(std::vector<int>{E...});
}

// ---- The least and where it stands: of equal ones the first, NaN none of them
template <int Axis, int... E>
void Combiner::expect_least() {
  SCOPED_TRACE((shape_text<E...>(Axis)));
  const float some[] = {3, -1, 0.0F, -0.0F, nan, 7, HUGE_VALF, -HUGE_VALF, -1, 2};
  host_array x(dtype::f32, {E...}), places(dtype::i32, {E...});
  std::mt19937 random(5);
  const auto lines = lines_of(x, Axis);
  for (const auto& line : lines) {
    const bool has_infinity = random() % 4 == 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
      x.set(line[k], k == 0 ? 5.0F : some[random() % (has_infinity ? 10 : 6)]);
      places.set(line[k], static_cast<int>(k));
    }
  }
  const arrays got = run_all(least<Axis, E...>.module(), {dtype::f32, dtype::i32, dtype::boolean}, {x, places});
  for (const auto& line : lines) {
    std::size_t best = 0;
    bool has_negative = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (x.get<double>(line[k]) < x.get<double>(line[best])) best = k;
      has_negative = has_negative || x.get<double>(line[k]) < 0;
    }
    for (const index_t place : line) {
      EXPECT_EQ(got[0].bits(place), x.bits(line[best])) << "element " << place;
      EXPECT_EQ(got[1].get<std::size_t>(place), best) << "element " << place;
      EXPECT_EQ(got[2].get<int>(place), has_negative ? 1 : 0) << "element " << place;
    }
  }
}

TEST_P(Combiner, GivesTheLeastAndItsPlace) {
  expect_least<0, 1>();
  expect_least<0, 37>();
  expect_least<0, 1000>();
  expect_least<1, 5, 64>();
  expect_least<0, 33, 4>();
  expect_least<1, 33, 4>();
  expect_least<1, 2, 1, 7>();
  expect_least<1, 2, 3, 17>();
  expect_least<2, 2, 3, 17>();
  expect_least<0, 3, 2, 5, 4>();
  expect_least<2, 3, 2, 5, 4>();
}

// ---- Sums of exponentials: the greatest is exact. Each step rounds an exponent of up to 40, a function of 2 ULP, a
// product and a sum.
template <int Axis, int... E>
void Combiner::expect_exponentials() {
  SCOPED_TRACE((shape_text<E...>(Axis)));
  host_array x = random_floats({E...}, 20, 9);
  const auto lines = lines_of(x, Axis);
  x.set(lines.back().back(), -HUGE_VALF);
  const arrays got = run_all(exponentials<Axis, E...>.module(), {dtype::f32, dtype::f32}, {x});
  for (const auto& line : lines) {
    double greatest = -HUGE_VAL, sum = 0;
    for (const index_t place : line) greatest = std::max(greatest, x.get<double>(place));
    for (const index_t place : line) {
      sum += x.get<double>(place) == greatest ? 1 : std::exp(x.get<double>(place) - greatest);
    }
    const double allowed = static_cast<double>(line.size()) * (40 + 4) * ulp * sum;
    for (const index_t place : line) {
      EXPECT_EQ(got[0].get<double>(place), greatest) << "element " << place;
      EXPECT_NEAR(got[1].get<double>(place), sum, allowed) << "element " << place;
    }
  }
}

TEST_P(Combiner, SumsExponentialsUnderTheirGreatest) {
  expect_exponentials<0, 1>();
  expect_exponentials<0, 37>();
  expect_exponentials<0, 1000>();
  expect_exponentials<1, 3, 48>();
  expect_exponentials<0, 33, 20>();
  expect_exponentials<1, 2, 3, 7>();
}

// ---- Mean and variance. Each step rounds a few times numbers that are at most n, 1, and n.
template <int Axis, int... E>
void Combiner::expect_moments() {
  SCOPED_TRACE((shape_text<E...>(Axis)));
  const host_array x = random_floats({E...}, 1, 21);
  const arrays got = run_all(moments<Axis, E...>.module(), {dtype::f32, dtype::f32}, {x});
  for (const auto& line : lines_of(x, Axis)) {
    const auto count = static_cast<double>(line.size());
    double mean = 0, variance = 0;
    for (const index_t place : line) mean += x.get<double>(place) / count;
    for (const index_t place : line) variance += std::pow(x.get<double>(place) - mean, 2) / count;
    for (const index_t place : line) {
      EXPECT_NEAR(got[0].get<double>(place), mean, 4 * count * ulp) << "element " << place;
      EXPECT_NEAR(got[1].get<double>(place), variance, 8 * count * ulp) << "element " << place;
    }
  }
}

TEST_P(Combiner, JoinsMeansAndVariances) {
  expect_moments<0, 1>();
  expect_moments<0, 37>();
  expect_moments<0, 1000>();
  expect_moments<1, 3, 48>();
  expect_moments<0, 33, 20>();
  expect_moments<1, 2, 3, 2, 7>();
}

// ---- Linear recurrences, whose combiner does not commute. Factors are at most 1, so that no error grows: each step
// adds a rounding of each of its two operations, on states of at most n.
template <int Axis, scan_order Order, int... E>
void Combiner::expect_recurrence() {
  SCOPED_TRACE((shape_text<E...>(Axis)));
  const host_array a = random_floats({E...}, 1, 3), b = random_floats({E...}, 1, 4);
  const arrays got = run_all(recurrence<Axis, Order, E...>.module(), {dtype::f32}, {a, b});
  for (std::vector<index_t> line : lines_of(a, Axis)) {
    if (Order == scan_order::reverse) std::reverse(line.begin(), line.end());
    double state = 0;
    const auto count = static_cast<double>(line.size());
    for (const index_t place : line) {
      state = a.get<double>(place) * state + b.get<double>(place);
      EXPECT_NEAR(got[0].get<double>(place), state, 4 * count * ulp) << "element " << place;
    }
  }
}

TEST_P(Combiner, ScansALinearRecurrenceFromEitherEnd) {
  constexpr scan_order forward = scan_order::forward, reverse = scan_order::reverse;
  expect_recurrence<0, forward, 1>();
  expect_recurrence<0, reverse, 1>();
  expect_recurrence<0, forward, 37>();
  expect_recurrence<0, reverse, 37>();
  expect_recurrence<1, forward, 3, 64>();
  expect_recurrence<1, reverse, 3, 64>();
  expect_recurrence<0, forward, 33, 20>();
  expect_recurrence<0, reverse, 33, 20>();
  expect_recurrence<1, reverse, 2, 5, 3>();
  expect_recurrence<2, forward, 2, 3, 4, 5>();
}

// ---- Integers, exactly: a divisor that is a literal, and a scalar of the kernel inside the combiner
template <int Axis, int... E>
void Combiner::expect_bounded() {
  SCOPED_TRACE((shape_text<E...>(Axis)));
  host_array x(dtype::i32, {E...});
  std::mt19937 random(8);
  for (index_t i = 0; i < x.size(); ++i) x.set(i, static_cast<int>(random() % 96) + 1);
  const arrays got = run_all(bounded<Axis, E...>.module(), {dtype::i32, dtype::i64}, {x}, {scalar_argument(i64{200})});
  for (const auto& line : lines_of(x, Axis)) {
    i64 product = 1, sum = 0;
    for (const index_t place : line) {
      product = product * x.get<i64>(place) % 97;
      sum = std::min<i64>(sum + x.get<i64>(place), 200);
      EXPECT_EQ(got[1].get<i64>(place), sum) << "element " << place;
    }
    for (const index_t place : line) EXPECT_EQ(got[0].get<i64>(place), product) << "element " << place;
  }
}

TEST_P(Combiner, OfIntegersIsExact) {
  expect_bounded<0, 1>();
  expect_bounded<0, 37>();
  expect_bounded<1, 4, 32>();
  expect_bounded<0, 33, 4>();
  expect_bounded<1, 2, 3, 7>();
}

template <int Axis, scan_order Order, int... E>
void Combiner::expect_of_eight() {
  SCOPED_TRACE((shape_text<E...>(Axis)));
  host_array x(dtype::i32, {E...});
  std::mt19937 random(13);
  for (index_t i = 0; i < x.size(); ++i) x.set(i, random() % 3 == 0 ? 1 : 0);
  const arrays got = run_all(of_eight<Axis, Order, E...>.module(), {dtype::f64, dtype::f64}, {x});
  for (std::vector<index_t> line : lines_of(x, Axis)) {
    if (Order == scan_order::reverse) std::reverse(line.begin(), line.end());
    double count = 0;
    for (const index_t place : line) {
      count += x.get<double>(place);
      EXPECT_EQ(got[1].get<double>(place), 7 * count + (count > 0 ? 1000 : 0)) << "element " << place;
    }
    for (const index_t place : line) {
      EXPECT_EQ(got[0].get<double>(place), 7 * count + (count > 0 ? 1000 : 0)) << "element " << place;
    }
  }
}

TEST_P(Combiner, TakesEightTilesOfEightElements) {
  expect_of_eight<0, scan_order::forward, 1>();
  expect_of_eight<0, scan_order::reverse, 37>();
  expect_of_eight<1, scan_order::forward, 3, 32>();
  expect_of_eight<0, scan_order::reverse, 33, 4>();
}

// ---- In a loop, of what the loop carries; and of a tile that the tensor does not fill
constexpr auto running = kernel<"running">([](Block b, Out<f32, 4, 8> z, In<f32, dyn, dyn> x) {
  auto xt = x.partition(tile<4, 8>);
  auto sum = b.zeros<f32>(tile<4, 8>);
  for (auto k : range(xt.tiles(1))) {
    auto [next] = scan<1>(values(sum + xt.load(0, k, pad(0))), identity(0),
                          [](auto left, auto right) { return values(left.first + right.first); });
    sum = next;
  }
  z.store(sum);
});

TEST_P(Combiner, WorksOnCarriedTilesAndPaddedLanes) {
  host_array x(dtype::f32, {4, 20});
  for (index_t i = 0; i < x.size(); ++i) x.set(i, static_cast<float>(i % 5));
  const host_array z(dtype::f32, {4, 8});
  std::vector<compiler::argument> arguments{z.argument(), x.argument()};
  arguments[0].piece = {4, 8};
  run_module(running.module(), GetParam(), arguments);
  for (index_t row = 0; row < 4; ++row) {
    double expected[8] = {};
    for (index_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (index_t i = 0; i < 8; ++i) {
        const index_t column = 8 * k + i;
        sum += expected[i] + (column < 20 ? x.get<double>(20 * row + column) : 0);
        expected[i] = sum;
      }
    }
    for (index_t i = 0; i < 8; ++i) EXPECT_EQ(z.get<double>(8 * row + i), expected[i]) << row << ", " << i;
  }
}

constexpr auto ragged = kernel<"ragged">([](Out<f32, 4, 1> z, In<f32, dyn, dyn> x) {
  auto [sum] = reduce<1>(values(x.load(tile<4, 8>, 0, 0)), identity(0),
                         [](auto left, auto right) { return values(left.first + right.first); });
  z.store(sum);
});

TEST(CombinerRefusal, NamesTheAxisThatMayReachPastItsTensor) {
  const host_array x(dtype::f32, {4, 7}), z(dtype::f32, {4, 1});
  std::vector<compiler::argument> arguments{z.argument(), x.argument()};
  arguments[0].piece = {4, 1};
  try {
    run_module(ragged.module(), interp_back_end(), arguments);
    FAIL() << "accepted";
  } catch (const compile_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("reduce over axis 1 of a tile that may reach past"), std::string::npos)
        << refused.what();
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(Combiner);

}  // namespace
}  // namespace tilewright::test
