// SPDX-License-Identifier: Apache-2.0
// Sorting along each axis (lang/sort.hpp) on every back end: bit by bit what a stable sort of the host gives.
#include <algorithm>

#include "numeric/axis_lines.hpp"
#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "numeric/special_values.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

template <class T, int Axis, sort_order Order, Dim... E>
constexpr auto sorted = kernel<"sorted">([](Out<T, E...> z, Out<T, E...> y, Out<i32, E...> p, In<T, E...> x) {
  auto v = load_like(x, z);
  z.store(sort<Axis, Order>(v));
  auto with_positions = sort_with_positions<Axis, Order>(v);
  y.store(with_positions.values);
  p.store(with_positions.positions);
});
template <class T, int K, Dim M, Dim N>
constexpr auto greatest = kernel<"greatest">([](Block b, Out<T, M, Dim(K)> z, Out<i32, M, Dim(K)> p, In<T, M, N> x) {
  auto top = top_k<1, K>(x.load(tile<M, N>, b.pid(0), 0));
  z.store(top.values);
  p.store(top.positions);
});

bool is_nan(dtype element, std::uint64_t bits) {
  return is_floating(element) && std::isnan(decode_float(element, bits));
}

// -0 before +0, NaN after all else.
bool precedes(dtype element, std::uint64_t a, std::uint64_t b) {
  if (is_nan(element, a) || is_nan(element, b)) return !is_nan(element, a);
  if (!is_floating(element)) return decode_integer(element, a) < decode_integer(element, b);
  const auto x = decode_float(element, a), y = decode_float(element, b);
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}

// The special values again and again, in a fixed disorder.
host_array disordered(dtype element, const std::vector<index_t>& extents) {
  const auto values = special_values(element);
  host_array made(element, extents);
  std::mt19937 random(77);
  for (index_t i = 0; i < made.size(); ++i) made.set_bits(i, values[random() % values.size()]);
  return made;
}

// Lines of x along the axis, each as element numbers in the order that a stable sort gives.
std::vector<std::vector<index_t>> ordered_lines(const host_array& x, int axis, sort_order order) {
  auto lines = lines_of(x, axis);
  for (auto& line : lines) {
    std::stable_sort(line.begin(), line.end(), [&](index_t a, index_t b) {
      if (order == sort_order::descending) std::swap(a, b);
      if (is_nan(x.element(), x.bits(a)) && is_nan(x.element(), x.bits(b))) return false;
      return precedes(x.element(), x.bits(a), x.bits(b));
    });
  }
  return lines;
}

void expect_value(const host_array& got, index_t place, std::uint64_t wanted) {
  if (is_nan(got.element(), wanted)) {
    EXPECT_TRUE(is_nan(got.element(), got.bits(place))) << "element " << place;
  } else {
    EXPECT_EQ(got.bits(place), wanted) << "element " << place;
  }
}

template <class T, int Axis, sort_order Order, int... E>
void expect_sorted(const back_end& where) {
  SCOPED_TRACE(testing::Message() << info(dtype_of<T>).name << " axis " << Axis << " of "
                                  << testing::PrintToString(std::vector<int>{E...})
                                  << (Order == sort_order::descending ? " descending" : ""));
  const host_array x = disordered(dtype_of<T>, {E...});
  const host_array z(dtype_of<T>, {E...}), y(dtype_of<T>, {E...}), p(dtype::i32, {E...});
  std::vector<compiler::argument> arguments{z.argument(), y.argument(), p.argument(), x.argument()};
  for (int n = 0; n < 3; ++n) arguments[static_cast<std::size_t>(n)].piece = {E...};
  run_module(sorted<T, Axis, Order, E...>.module(), where, arguments);
  const auto unordered = lines_of(x, Axis);
  const auto expected = ordered_lines(x, Axis, Order);
  for (std::size_t line = 0; line < expected.size(); ++line) {
    for (std::size_t n = 0; n < expected[line].size(); ++n) {
      const index_t place = unordered[line][n], from = expected[line][n];
      expect_value(z, place, x.bits(from));
      expect_value(y, place, x.bits(from));
      ASSERT_EQ(unordered[line][static_cast<std::size_t>(p.get<int>(place))], from) << "position of element " << place;
    }
  }
}

template <class T>
void expect_both_orders(const back_end& where) {
  expect_sorted<T, 1, sort_order::ascending, 3, 16>(where);
  expect_sorted<T, 1, sort_order::descending, 3, 16>(where);
}

class Sort : public BackEndTest {};

TEST_P(Sort, OrdersEachElementTypeBitByBit) {
  expect_both_orders<i8>(GetParam());
  expect_both_orders<u8>(GetParam());
  expect_both_orders<i16>(GetParam());
  expect_both_orders<u16>(GetParam());
  expect_both_orders<i32>(GetParam());
  expect_both_orders<u32>(GetParam());
  expect_both_orders<i64>(GetParam());
  expect_both_orders<u64>(GetParam());
  expect_both_orders<f16>(GetParam());
  expect_both_orders<bf16>(GetParam());
  expect_both_orders<f32>(GetParam());
  expect_both_orders<f64>(GetParam());
}

TEST_P(Sort, TakesEachAxisAndExtent) {
  constexpr auto ascending = sort_order::ascending, descending = sort_order::descending;
  expect_sorted<f32, 0, ascending, 1>(GetParam());
  expect_sorted<f32, 0, descending, 2>(GetParam());
  expect_sorted<f32, 0, ascending, 256>(GetParam());
  expect_sorted<i32, 0, ascending, 8, 5>(GetParam());
  expect_sorted<f16, 1, descending, 2, 4, 3>(GetParam());
  expect_sorted<u32, 3, ascending, 1, 2, 3, 8>(GetParam());
  expect_sorted<u32, 0, descending, 4, 2, 1, 2>(GetParam());
}

template <class T, int K, int N>
void expect_greatest(const back_end& where) {
  SCOPED_TRACE(testing::Message() << info(dtype_of<T>).name << " " << K << " of " << N);
  const host_array x = disordered(dtype_of<T>, {6, N});
  const host_array z(dtype_of<T>, {6, K}), p(dtype::i32, {6, K});
  std::vector<compiler::argument> arguments{z.argument(), p.argument(), x.argument()};
  arguments[0].piece = arguments[1].piece = {6, K};
  run_module(greatest<T, K, Dim(6), Dim(N)>.module(), where, arguments);
  const auto expected = ordered_lines(x, 1, sort_order::descending);
  for (index_t row = 0; row < 6; ++row) {
    for (index_t n = 0; n < K; ++n) {
      const index_t from = expected[static_cast<std::size_t>(row)][static_cast<std::size_t>(n)];
      expect_value(z, row * K + n, x.bits(from));
      EXPECT_EQ(p.get<index_t>(row * K + n), from - row * N) << "row " << row << " place " << n;
    }
  }
}

TEST_P(Sort, GivesTheGreatestAndTheFirstOfTies) {
  expect_greatest<f32, 1, 8>(GetParam());
  expect_greatest<f32, 4, 64>(GetParam());
  expect_greatest<bf16, 8, 8>(GetParam());
  expect_greatest<i32, 2, 16>(GetParam());
}

TILEWRIGHT_ON_EVERY_BACK_END(Sort);

}  // namespace
}  // namespace tilewright::test
