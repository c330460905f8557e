// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks share pieces of an output, launched as a program does, on each back end.
#include <algorithm>
#include <cmath>

#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BM{"BM"}, BN{"BN"}, Bins{"Bins"};

// Blocks (j, i): row i, columns of piece j.
template <class T, combiner By>
constexpr auto combined_rows = kernel<"combined_rows">([](Block b, Accum<T, By, BN> z, In<T, dyn, dyn> x) {
  z.combine(reshape(x.load(tile<1, BN>, b.pid(1), b.pid(0)), tile<BN>));
});
inline constexpr auto histogram =
    kernel<"histogram">([](Block b, Accum<u32, combiner::sum, Bins> bins, In<i32, dyn> x) {
      auto values = reshape(x.load(tile<BM>, b.pid(1), pad(-1)), tile<BM, 1>);
      auto hits = cast<u32>(values == b.iota<i32>(tile<1, Bins>));
      bins.combine(reshape(reduce_sum<0>(hits), tile<Bins>));
    });
// Blocks of one row of pieces share a sum, all share the greatest.
inline constexpr auto scale_and_sum =
    kernel<"scale_and_sum">([](Block b, Out<f32, BM, BN> z, Accum<f32, combiner::sum, BM> sums,
                               Accum<f32, combiner::max> greatest, In<f32, dyn, dyn> x) {
      z.store(load_like(x, z) * 2.0f);
      auto v = x.load(tile<BM, BN>, b.pid(0), b.pid(1), pad(0));
      sums.combine(reshape(reduce_sum<1>(v), tile<BM>));
      greatest.combine(reshape(reduce_max<0>(reduce_max<1>(v)), tile<>));
    });

// Blocks (j, i) add their row twice: as it is, then halved, once for each of two halves.
template <class T>
constexpr auto rows_in_parts = kernel<"rows_in_parts">([](Block b, Accum<T, combiner::sum, BN> z, In<T, dyn, dyn> x) {
  auto row = reshape(x.load(tile<1, BN>, b.pid(1), b.pid(0), pad(0)), tile<BN>);
  z.combine(row);
  for (auto n : range(b.zeros<index_element>(tile<>) + 2)) z.combine(row * static_cast<T>(0.5));
});
template <class T>
constexpr auto sum_of_all = kernel<"sum_of_all">([](Block b, Accum<T, combiner::sum> z, In<T, dyn> x) {
  z.combine(reshape(x.load(tile<1>, b.pid(0), pad(0)), tile<>));
});

class SharedOutput : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(SharedOutput);

template <class T>
std::vector<T> numbers(index_t count) {
  std::vector<T> made;
  for (index_t i = 0; i < count; ++i) made.push_back(static_cast<T>(i * 7919 % 2003 - 1000));
  return made;
}

TEST_P(SharedOutput, HoldsWhatItHeldAndWhatEveryBlockCombined) {
  for (const auto& [rows, columns] : {std::pair<index_t, index_t>{1, 1}, {3, 100}, {500, 33}, {0, 8}, {8, 0}}) {
    const auto values = numbers<i64>(rows * columns);
    std::vector<i64> sums(static_cast<std::size_t>(columns), 11), least(static_cast<std::size_t>(columns), 5);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t column = i % static_cast<std::size_t>(columns);
      sums[column] += values[i];
      least[column] = std::min(least[column], values[i]);
    }
    const Shared<i64> x = upload(values, {rows, columns});
    auto z = device().full<i64>({columns}, 11), y = device().full<i64>({columns}, 5);
    combined_rows<i64, combiner::sum>(z.partition({32}, shared_by(rows)), x).sync();
    combined_rows<i64, combiner::min>(y.partition({20}, shared_by(rows)), x).sync();
    EXPECT_EQ(z.to_host(), sums) << rows << " x " << columns;
    EXPECT_EQ(y.to_host(), least) << rows << " x " << columns;
  }
}

TEST_P(SharedOutput, IsTheSameInAnyOrderOfBlocks) {
  const auto values = numbers<i64>(200 * 65);
  const Shared<i64> x = upload(values, {200, 65});
  auto plain = device().zeros<i64>({65}), other = device().zeros<i64>({65});
  combined_rows<i64, combiner::sum>(plain.partition({8}, shared_by(200)), x).sync();
  const auto turned = combined_rows<i64, combiner::sum>.with(persistent, reversed, swizzle(4));
  turned(other.partition({8}, shared_by(200)), x).sync();
  EXPECT_EQ(plain.to_host(), other.to_host());
}

// ---- Sums of floats in the order of blocks
template <class T>
std::vector<T> hard_numbers(index_t count) {
  std::vector<T> made;
  for (index_t i = 0; i < count; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(i * 31 % 40) - 20);
    made.push_back(static_cast<T>(scale * static_cast<double>(i * 7919 % 2003 - 1000) / 3.0));
  }
  return made;
}

template <class T>
void expect_sums_in_order(const Tensor<T>& sums, const std::vector<T>& x, std::size_t columns, T initial) {
  std::vector<T> expected(columns, initial);
  for (std::size_t i = 0; i < x.size(); ++i) {
    T& sum = expected[i % columns];
    sum = sum + x[i];
    for (int half = 0; half < 2; ++half) sum = sum + x[i] * static_cast<T>(0.5);
  }
  const std::vector<T> got = sums.to_host();
  for (std::size_t c = 0; c < columns; ++c) {
    double exact = initial, magnitude = std::abs(initial);
    for (std::size_t i = c; i < x.size(); i += columns) {
      exact += 2.0 * x[i];
      magnitude += 2.0 * std::abs(x[i]);
    }
    const double roundings = 3.0 * static_cast<double>(x.size() / columns);
    ASSERT_LE(std::abs(expected[c] - exact), (roundings * epsilon<T>() + 0x1p-45) * magnitude) << "the test is wrong";
    ASSERT_EQ(got[c], expected[c]) << "column " << c << " of " << columns;
  }
}

TEST_P(SharedOutput, IsASumInTheOrderOfBlocksWhereItIsDeterministic) {
  const auto check = [&]<class T>(T initial) {
    for (const auto& [rows, columns] : {std::pair<index_t, index_t>{1, 1}, {3, 100}, {257, 33}, {0, 8}, {8, 0}}) {
      const auto values = hard_numbers<T>(rows * columns);
      const Shared<T> x = upload(values, {rows, columns});
      const auto in_order = rows_in_parts<T>.with(deterministic);
      for (const auto& kernel : {in_order, in_order.with(persistent, reversed, swizzle(2))}) {
        auto z = device().full<T>({columns}, initial);
        kernel(z.partition({24}, shared_by(rows)), x).sync();
        expect_sums_in_order<T>(z, values, static_cast<std::size_t>(columns), initial);
      }
    }
  };
  check(0.1f);
  check(0.1);
}

TEST_P(SharedOutput, OfOneElementTakesAllBlocksInTurn) {
  const auto values = hard_numbers<f32>(1000);
  f32 expected = 0.25f;
  for (const f32 value : values) expected += value;
  auto z = device().full<f32>({}, 0.25f);
  sum_of_all<f32>.with(deterministic)(z.partition({}, shared_by(1000)), upload(values)).sync();
  EXPECT_EQ(z.to_host()[0], expected);
}

// Blocks of one row of pieces take turns; a piece is one column, so that no sum inside a tile has an order of its own.
TEST_P(SharedOutput, BesideAnOutputThatGivesTheGridIsInOrderToo) {
  constexpr index_t rows = 50, columns = 70;
  const auto whole = hard_numbers<f32>(rows * columns);
  std::vector<f32> sums(rows, 0.5f);
  for (std::size_t i = 0; i < whole.size(); ++i) sums[i / columns] += whole[i];
  auto z = poisoned<f32>({rows, columns});
  auto sum = device().full<f32>({rows}, 0.5f);
  auto greatest = device().full<f32>({}, -INFINITY);
  const auto in_order = scale_and_sum.with(deterministic);
  in_order(z.partition({16, 1}), sum.partition({16}), greatest.partition({}), upload(whole, {rows, columns})).sync();
  EXPECT_EQ(sum.to_host(), sums);
  EXPECT_EQ(greatest.to_host()[0], *std::max_element(whole.begin(), whole.end()));
  std::vector<f32> doubled = whole;
  for (f32& value : doubled) value *= 2;
  EXPECT_EQ(z.to_host(), doubled);
}

TEST_P(SharedOutput, CountsAHistogram) {
  const auto values = numbers<i32>(10'000);
  std::vector<u32> expected(100, 3);
  for (const i32 value : values) {
    if (value >= 0 && value < 100) ++expected[static_cast<std::size_t>(value)];
  }
  auto bins = device().full<u32>({100}, 3);
  histogram.with(BM = 64)(bins.all(shared_by((10'000 + 63) / 64)), upload(values)).sync();
  EXPECT_EQ(bins.to_host(), expected);
}

TEST_P(SharedOutput, LiesBesideAnOutputThatGivesTheGrid) {
  constexpr index_t rows = 50, columns = 70;
  const auto whole = numbers<f32>(rows * columns);
  std::vector<f32> sums(rows, 0.5f);  // of whole numbers, so exact
  for (std::size_t i = 0; i < whole.size(); ++i) sums[i / columns] += whole[i];
  auto z = poisoned<f32>({rows, columns});
  auto sum = device().full<f32>({rows}, 0.5f);
  auto greatest = device().full<f32>({}, -INFINITY);
  scale_and_sum(z.partition({16, 32}), sum.partition({16}), greatest.partition({}), upload(whole, {rows, columns}))
      .sync();
  EXPECT_EQ(sum.to_host(), sums);
  EXPECT_EQ(greatest.to_host()[0], *std::max_element(whole.begin(), whole.end()));
  std::vector<f32> doubled = whole;
  for (f32& value : doubled) value *= 2;
  EXPECT_EQ(z.to_host(), doubled);
}

}  // namespace
}  // namespace tilewright::test
