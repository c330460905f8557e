// SPDX-License-Identifier: Apache-2.0
#include "ports/products.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

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

}  // namespace
}  // namespace tilewright::test
