// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/rotary.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

class Rotary : public KernelTest {
 protected:
  // x [tokens, heads * size] from position `first` on, with tables of `positions`.
  template <class T>
  static std::vector<T> run(const matrix<T>& x, index_t size, i32 first, index_t positions) {
    const kernels::rotary_tables tables = kernels::make_rotary_tables(positions, size, 1e4);
    return output(kernels::rotary<T>()(poisoned<T>({x.rows, x.columns}).partition({1, size}), upload(x),
                                       upload(tables.cosines, {positions, size / 2}),
                                       upload(tables.sines, {positions, size / 2}), first));
  }

  // |error| <= 2 eps (|x1| + |x2|): two rounded products and their sum, and the rounding of the tables.
  template <class T>
  static expectation reference(const matrix<T>& x, index_t size, index_t first) {
    expectation expected;
    for (index_t token = 0; token < x.rows; ++token) {
      for (index_t column = 0; column < x.columns; ++column) {
        const index_t in_head = column % size;
        const index_t pair = in_head % (size / 2);
        const index_t head = column - in_head;
        const double low = to_f64(x.at(token, head + pair));
        const double high = to_f64(x.at(token, head + pair + size / 2));
        const double angle = static_cast<double>(first + token) *
                             std::pow(1e4, -2.0 * static_cast<double>(pair) / static_cast<double>(size));
        const double value = in_head < size / 2 ? low * std::cos(angle) - high * std::sin(angle)
                                                : high * std::cos(angle) + low * std::sin(angle);
        expected.add(value, 2.0 * 0x1p-23 * (std::abs(low) + std::abs(high)) + 0.5 * epsilon<T>() * std::abs(value));
      }
    }
    return expected;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Rotary);

TEST_P(Rotary, KeepsItsBoundOnEveryShape) {
  for (const index_t size : {index_t{2}, index_t{6}, index_t{64}}) {
    SCOPED_TRACE(size);
    const auto x = random_matrix<f32>(5, 3 * size);
    expect_within(run(x, size, 11, 16), reference(x, size, 11));
  }
}

TEST_P(Rotary, StaysAccurateFarFromPositionZero) {
  const auto x = random_matrix<f32>(2, 64);
  expect_within(run(x, 64, 8190, 8192), reference(x, 64, 8190));
}

TEST_P(Rotary, InNarrowTypesKeepsItsBound) {
  const auto halves = random_matrix<f16>(2, 32);
  expect_within(run(halves, 16, 3, 5), reference(halves, 16, 3));
  const auto brains = random_matrix<bf16>(2, 32);
  expect_within(run(brains, 16, 3, 5), reference(brains, 16, 3));
}

TEST_P(Rotary, AtPositionZeroChangesNothing) {
  const auto x = random_matrix<f32>(1, 16);
  EXPECT_EQ(run(x, 8, 0, 1), x.values);
}

TEST_P(Rotary, RefusesPositionsOutsideTheTables) {
  const auto x = random_matrix<f32>(3, 8);
  EXPECT_THROW((void)run(x, 8, 6, 8), usage_error);
  EXPECT_THROW((void)run(x, 8, -1, 8), usage_error);
}

// Joint rows of queries, keys and values, in one launch: the turned parts keep rotary's bound, values are copied.
TEST_P(Rotary, OfJointRowsTurnsQueriesAndKeysAndCopiesValues) {
  constexpr index_t size = 8, heads = 6, key_heads = 2, tokens = 3, first = 4, positions = 7;
  const auto x = random_matrix<f32>(tokens, (heads + 2 * key_heads) * size);
  const kernels::rotary_tables tables = kernels::make_rotary_tables(positions, size, 1e4);
  auto given = kernels::rotary_qkv
                   .with(dim<kernels::HEADS>(heads / key_heads))(
                       poisoned<f32>({tokens, heads * size}).partition({1, heads / key_heads * size}),
                       poisoned<f32>({tokens, key_heads * size}).partition({1, size}),
                       poisoned<f32>({tokens, key_heads * size}).partition({1, size}), upload(x),
                       upload(tables.cosines, {positions, size / 2}), upload(tables.sines, {positions, size / 2}),
                       static_cast<i32>(first))
                   .sync();
  const expectation whole = reference(x, size, first);
  const auto part = [&](index_t from, index_t columns) {
    expectation result;
    for (index_t token = 0; token < tokens; ++token) {
      for (index_t column = from; column < from + columns; ++column) {
        const auto place = static_cast<std::size_t>(token * x.columns + column);
        result.add(whole.reference[place], whole.bound[place]);
      }
    }
    return result;
  };
  expect_within(std::get<0>(given).to_host(), part(0, heads * size));
  expect_within(std::get<1>(given).to_host(), part(heads * size, key_heads * size));
  const auto values = std::get<2>(given).to_host();
  for (index_t i = 0; i < tokens * key_heads * size; ++i) {
    const index_t column = (heads + key_heads) * size + i % (key_heads * size);
    EXPECT_EQ(values[static_cast<std::size_t>(i)], x.at(i / (key_heads * size), column)) << i;
  }
}

TEST_P(Rotary, OfNoTokensDoesNothing) { EXPECT_TRUE(run(matrix<f32>(0, 8), 8, 0, 1).empty()); }

}  // namespace
}  // namespace tilewright::test
