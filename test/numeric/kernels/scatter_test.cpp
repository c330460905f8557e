// SPDX-License-Identifier: Apache-2.0
// Rows that go where unique indices say, launched as a program does, on each back end: every row is where its index
// says, and all others are as they were.
#include <algorithm>
#include <cstring>
#include <limits>

#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BM{"BM"}, BN{"BN"};

template <class T, class I>
constexpr auto placed = kernel<"placed">([](Scatter<T, BM, BN> z, Unique<I> rows, In<T, dyn, dyn> x) {
  z.store(rows, load_like(x, z));
});
// Two outputs by the same indices, another one in the order of the indices, which are read, too.
inline constexpr auto placed_twice =
    kernel<"placed_twice">([](Block b, Scatter<f32, BM, BN> z, Scatter<f16, BM, BN> y, Out<f32, BM, BN> w,
                              Unique<i32> rows, In<f32, dyn, dyn> x) {
      auto v = load_like(x, z);
      z.store(rows, v * 2.0f);
      if_(
          b.pid(0) == 0, [&] { y.store(rows, cast<f16>(v)); }, [&] { y.store(rows, cast<f16>(-v)); });
      w.store(cast<f32>(reshape(rows.load(tile<BM>, b.pid(0)), tile<BM, 1>)) + b.full<f32>(tile<BM, BN>, 0));
    });

class PlacedRows : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(PlacedRows);

// Step is prime to the number of rows, so that all differ.
template <class I>
std::vector<I> spread(index_t count, index_t rows) {
  std::vector<I> made;
  for (index_t i = 0; i < count; ++i) made.push_back(static_cast<I>((i * 7 + 3) % rows));
  return made;
}
template <class I>
std::vector<I> reversed(index_t count) {
  std::vector<I> made;
  for (index_t i = 0; i < count; ++i) made.push_back(static_cast<I>(count - 1 - i));
  return made;
}

struct scatter_case {
  index_t count, rows, columns, block_rows, block_columns;
};
constexpr scatter_case cases[] = {{1, 1, 1, 1, 1},     {0, 5, 8, 4, 8},      {64, 64, 64, 16, 32}, {37, 50, 21, 16, 8},
                                  {37, 50, 1, 16, 1},  {50, 50, 33, 12, 20}, {5, 1000, 3, 8, 4},   {1, 9, 40, 16, 16},
                                  {20, 20, 17, 5, 17}, {33, 40, 0, 8, 8},    {3, 11, 7, 1, 3},     {48, 100, 5, 48, 3}};

template <class T, class I>
void expect_placed(Device device, const scatter_case& tested, const std::vector<I>& rows, const Shared<I>& indices,
                   const std::vector<T>& values, const Shared<T>& x, T before) {
  auto z = device.full<T>({tested.rows, tested.columns}, before);
  auto expected = z.to_host();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i) * tested.columns, tested.columns,
                expected.begin() + static_cast<std::ptrdiff_t>(rows[i]) * tested.columns);
  }
  const UniqueIndices<I> unique = unique_indices(indices, tested.rows);
  placed<T, I>(z.partition({tested.block_rows, tested.block_columns}), unique, x).sync();
  EXPECT_EQ(z.to_host(), expected) << tested.count << " of " << tested.rows << " x " << tested.columns;
}

TEST_P(PlacedRows, AreWhereTheirIndexSays) {
  for (const scatter_case& tested : cases) {
    std::vector<f32> values;
    std::vector<i64> wide;
    for (index_t i = 0; i < tested.count * tested.columns; ++i) {
      values.push_back(static_cast<f32>(i + 1));
      wide.push_back(-i - 1);
    }
    const Shared<f32> x = upload(values, {tested.count, tested.columns});
    const Shared<i64> y = upload(wide, {tested.count, tested.columns});
    const auto rows = spread<i32>(tested.count, tested.rows);
    expect_placed<f32, i32>(device(), tested, rows, upload(rows), values, x, -7.0f);
    const auto wide_rows = spread<i64>(tested.count, tested.rows);
    expect_placed<i64, i64>(device(), tested, wide_rows, upload(wide_rows), wide, y, 77);
    const auto turned = reversed<i32>(tested.count);
    expect_placed<f32, i32>(device(), tested, turned, upload(turned), values, x, 5.0f);
  }
}

TEST_P(PlacedRows, HaveElementsOfOneByte) {
  const scatter_case tested{19, 23, 13, 8, 8};
  std::vector<i8> bytes;
  for (index_t i = 0; i < tested.count * tested.columns; ++i) bytes.push_back(static_cast<i8>(i % 251 - 125));
  const auto rows = spread<i32>(tested.count, tested.rows);
  expect_placed<i8, i32>(device(), tested, rows, upload(rows), bytes, upload(bytes, {tested.count, tested.columns}), 9);
  auto z = device().full<bool>({6, 2}, true);
  const std::vector<i32> places = {4, 1};
  const auto flags = device().full<bool>({2, 2}, false).share();
  placed<bool, i32>(z.partition({4, 2}), unique_indices(upload(places), 6), flags).sync();
  EXPECT_EQ(z.to_host(),
            (std::vector<bool>{true, true, false, false, true, true, true, true, false, false, true, true}));
}

TEST_P(PlacedRows, GoToSeveralOutputsByTheSameIndices) {
  const index_t count = 21, rows = 40, columns = 10;
  std::vector<f32> values;
  for (index_t i = 0; i < count * columns; ++i) values.push_back(static_cast<f32>(i));
  const auto list = spread<i32>(count, rows);
  const auto indices = unique_indices(upload(list), rows);
  auto z = device().full<f32>({rows, columns}, -1.0f), w = poisoned<f32>({count, columns});
  auto y = device().full<f16>({rows + 3, columns}, f16(-1.0f));
  placed_twice(z.partition({8, 4}), y.partition({8, 4}), w.partition({8, 4}), indices, upload(values, {count, columns}))
      .sync();
  std::vector<f32> expected(static_cast<std::size_t>(rows * columns), -1.0f);
  const auto seen = z.to_host(), order = w.to_host();
  const auto halves = y.to_host();
  for (index_t i = 0; i < count; ++i) {
    for (index_t j = 0; j < columns; ++j) {
      const auto from = static_cast<std::size_t>(i * columns + j);
      const auto to = static_cast<std::size_t>(list[static_cast<std::size_t>(i)] * columns + j);
      expected[to] = values[from] * 2;
      EXPECT_EQ(static_cast<f32>(halves[to]), i < 8 ? values[from] : -values[from]);
      EXPECT_EQ(order[from], static_cast<f32>(list[static_cast<std::size_t>(i)]));
    }
  }
  EXPECT_EQ(seen, expected);
}

// NaN, infinities and -0 go as they are.
TEST_P(PlacedRows, KeepTheirBits) {
  const f32 infinity = std::numeric_limits<f32>::infinity();
  const std::vector<f32> values = {std::numeric_limits<f32>::quiet_NaN(), -0.0f, 0.0f, infinity, -infinity, 1e-45f};
  auto z = device().full<f32>({4, 2}, 3.0f);
  const std::vector<i32> rows = {3, 0, 1};
  placed<f32, i32>(z.partition({2, 2}), unique_indices(upload(rows), 4), upload(values, {3, 2})).sync();
  const std::vector<f32> expected = {0.0f, infinity, -infinity, 1e-45f, 3.0f, 3.0f, values[0], -0.0f};
  const auto got = z.to_host();
  EXPECT_EQ(std::memcmp(got.data(), expected.data(), sizeof(f32) * 8), 0);
}

// A part of a tensor takes rows as a whole one does; what lies beside it stays.
TEST_P(PlacedRows, GoIntoASlice) {
  auto z = device().full<i32>({6, 8}, 1);
  const std::vector<i32> rows = {2, 0}, values = {10, 11, 12, 13};
  const auto indices = unique_indices(upload(rows), 3);
  auto part = z.slice(0, 2, 5).slice(1, 3, 5);
  placed<i32, i32>(std::move(part).partition({4, 2}), indices, upload(values, {2, 2})).sync();
  std::vector<i32> expected(48, 1);
  expected[4 * 8 + 3] = 10, expected[4 * 8 + 4] = 11, expected[2 * 8 + 3] = 12, expected[2 * 8 + 4] = 13;
  EXPECT_EQ(z.to_host(), expected);
}

}  // namespace
}  // namespace tilewright::test
