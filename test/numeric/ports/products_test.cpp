// SPDX-License-Identifier: Apache-2.0
#include "ports/products.hpp"

#include <array>
#include <cmath>

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "tilewright/kernels/argmax.hpp"

namespace tilewright::test {
namespace {

class Products : public KernelTest {
 protected:
  // Rows `from` to before `to`.
  template <class T>
  static matrix<T> rows_of(const matrix<T>& x, index_t from, index_t to) {
    matrix<T> part(to - from, x.columns);
    for (index_t i = from; i < to; ++i) {
      for (index_t j = 0; j < x.columns; ++j) part.at(i - from, j) = x.at(i, j);
    }
    return part;
  }
  static void append(expectation& all, const expectation& more) {
    for (std::size_t i = 0; i < more.reference.size(); ++i) all.add(more.reference[i], more.bound[i]);
  }
  // x of (count m) rows and y of (count depth) rows, as stacks of matrices.
  template <class T>
  static expectation stacked(const matrix<T>& x, const matrix<T>& y, index_t count) {
    expectation expected;
    const index_t rows = x.rows / count, depth = x.columns;
    for (index_t n = 0; n < count; ++n) {
      const auto right = [&](index_t column, index_t k) { return to_f64(y.at(n * depth + k, column)); };
      append(expected, product_reference<T>(rows_of(x, n * rows, (n + 1) * rows), y.columns, right));
    }
    return expected;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Products);

struct batch_case {
  index_t count, rows, depth, columns;
};

TEST_P(Products, OfABatchKeepTheirBoundInAnyOrderOfBlocks) {
  for (const auto& [count, rows, depth, columns] :
       {batch_case{1, 1, 1, 1}, {3, 5, 7, 9}, {2, 40, 70, 33}, {2, 3, 0, 4}}) {
    const auto x = random_matrix<f32>(count * rows, depth), y = random_matrix<f32>(count * depth, columns, 5);
    const auto run = [&, n = count, m = rows, k = depth, c = columns](const auto& kernel) {
      return output(kernel(poisoned<f32>({n, m, c}).partition({1, 16, 16}), upload(x.values, {n, m, k}),
                           upload(y.values, {n, k, c})));
    };
    expect_within(run(ports::batch_product<f32>), stacked(x, y, count));
    expect_within(run(ports::batch_product<f32>.with(persistent, swizzle(2))), stacked(x, y, count));
  }
}

TEST_P(Products, SplitAlongTheDepthAddUp) {
  for (const index_t depth : {1, 32, 150}) {
    const auto x = random_matrix<f16>(9, depth), y = random_matrix<f16>(depth, 20, 5);
    auto z = device().full<f32>({9, 20}, 0.0f);
    ports::split_product<f16>
        .with(kernels::BK = 16, kernels::STEPS = 2)(z.partition({8, 16}, shared_by((depth + 31) / 32)), upload(x),
                                                    upload(y))
        .sync();
    const auto right = [&](index_t column, index_t k) { return to_f64(y.at(k, column)); };
    expect_within(z.to_host(), product_reference<f32>(x, 20, right));
  }
}

TEST_P(Products, OfExpertsTakeRowsByTheirEnds) {
  constexpr index_t rows = 21, depth = 40, columns = 18, experts = 5;
  const auto x = random_matrix<f32>(rows, depth), weights = random_matrix<f32>(experts * depth, columns, 5);
  const auto run = [&](const std::vector<i32>& ends) {
    return output(ports::expert_product<f32>.with(kernels::BK = 16)(
        poisoned<f32>({rows, columns}).partition({8, 16}), upload(x), upload(weights.values, {experts, depth, columns}),
        upload(ends)));
  };
  for (const std::vector<i32>& ends : {std::vector<i32>{3, 3, 17, 20, 21}, {0, 0, 21, 21, 21}, {1, 2, 3, 4, 10}}) {
    expectation expected;
    for (index_t i = 0; i < rows; ++i) {
      index_t expert = 0;
      while (expert < experts && ends[static_cast<std::size_t>(expert)] <= i) ++expert;
      const auto right = [&](index_t column, index_t k) {
        return expert == experts ? 0.0 : to_f64(weights.at(expert * depth + k, column));
      };
      append(expected, product_reference<f32>(rows_of(x, i, i + 1), columns, right));
    }
    expect_within(run(ends), expected);
  }
  EXPECT_EQ(run({-7, 1'000'000, 5, -1, 1'000'000}).size(), static_cast<std::size_t>(rows * columns));  // no fault
}

// What no mask names is not read: it is NaN here.
TEST_P(Products, OfChosenTilesReadNoOthers) {
  constexpr index_t rows = 13, depth = 37, columns = 20, row_tiles = 2, column_tiles = 2, depth_tiles = 5, step = 8;
  auto x = random_matrix<f32>(rows, depth), y = random_matrix<f32>(depth, columns, 5);
  std::vector<u8> is_wanted;
  for (int i = 0; i < row_tiles * column_tiles * depth_tiles; ++i) is_wanted.push_back(static_cast<u8>(i * 7 % 5));
  const auto wanted = [&](index_t i, index_t j, index_t k) {
    return is_wanted[static_cast<std::size_t>((i / 8 * column_tiles + j / 16) * depth_tiles + k / step)] != 0;
  };
  for (index_t k = 2 * step; k < 3 * step; ++k) {
    for (index_t j = 0; j < columns; ++j) y.at(k, j) = NAN;
  }
  for (index_t tile = 0; tile < row_tiles * column_tiles; ++tile) is_wanted[static_cast<std::size_t>(tile * 5 + 2)] = 0;
  expectation expected;
  for (index_t i = 0; i < rows; ++i) {
    const auto right = [&](index_t j, index_t k) { return wanted(i, j, k) ? to_f64(y.at(k, j)) : 0.0; };
    append(expected, product_reference<f32>(rows_of(x, i, i + 1), columns, right));
  }
  const auto z = output(ports::block_sparse_product<f32>.with(kernels::BK = 8)(
      poisoned<f32>({rows, columns}).partition({8, 16}), upload(x), upload(y),
      upload(is_wanted, {row_tiles, column_tiles, depth_tiles})));
  expect_within(z, expected);
}

// Of small whole numbers, so that products are exact and many are equal: the first of these wins.
TEST_P(Products, GiveTheirGreatestElementWithoutBeingStored) {
  for (const auto& [rows, words, depth] : {std::array<index_t, 3>{1, 1, 1}, {5, 40, 12}, {9, 33, 70}}) {
    auto x = random_matrix<f16>(rows, depth), weights = random_matrix<f16>(words, depth, 5);
    for (f16& value : x.values) value = from_f64<f16>(std::round(to_f64(value) * 2));
    for (f16& value : weights.values) value = from_f64<f16>(std::round(to_f64(value) * 2));
    matrix<f32> logits(rows, words);
    for (index_t i = 0; i < rows * words * depth; ++i) {
      const index_t row = i / depth / words, word = i / depth % words, k = i % depth;
      logits.at(row, word) += static_cast<f32>(to_f64(x.at(row, k)) * to_f64(weights.at(word, k)));
    }
    const index_t pieces = (words + 15) / 16;
    auto made = ports::argmax_of_product<f16>
                    .with(kernels::BN = 16, kernels::BK = 16)(poisoned<i64>({rows, pieces}).partition({8, 1}),
                                                              poisoned<f32>({rows, pieces}).partition({8, 1}),
                                                              upload(x), upload(weights))
                    .sync();
    const auto where = std::get<0>(std::move(made)).share();
    const auto greatest = std::get<1>(std::move(made)).share();
    EXPECT_EQ(
        output(kernels::argmax_join<f32>().with(kernels::PIECES = 4)(
            poisoned<i64>({rows, 1}).partition({1, 1}), poisoned<f32>({rows, 1}).partition({1, 1}), where, greatest)),
        argmax_reference(logits));
  }
}

}  // namespace
}  // namespace tilewright::test
