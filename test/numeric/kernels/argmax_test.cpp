// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/argmax.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using kernels::BN;

class Argmax : public KernelTest {
 protected:
  template <class T>
  static std::vector<i64> run(const matrix<T>& x, index_t rows = 1, int columns = 4) {
    return output(
        kernels::argmax_row<T>().with(dim<BN>(columns))(poisoned<i64>({x.rows}).partition({rows}), upload(x)));
  }
  template <class T>
  static i64 of_row(const std::vector<T>& values, int columns = 4) {
    matrix<T> x(1, static_cast<index_t>(values.size()));
    x.values = values;
    return run(x, 1, columns)[0];
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Argmax);

TEST_P(Argmax, FindsTheGreatestOnEveryShape) {
  for (const index_t columns : {1, 2, 5, 64, 1000}) {
    for (const int tile : {1, 16, 1024}) {
      SCOPED_TRACE(testing::Message() << columns << " columns, tile " << tile);
      const auto x = random_matrix<f32>(3, columns);
      EXPECT_EQ(run(x, 2, tile), argmax_reference(x));
    }
  }
}

TEST_P(Argmax, GivesTheGreatestItself) {
  auto x = random_matrix<f32>(3, 100);
  x.at(1, 70) = from_f64<f32>(not_a_number);
  auto given = kernels::argmax_row_value<f32>()
                   .with(BN = 16)(poisoned<i64>({3}).partition({2}), poisoned<f32>({3}).partition({2}), upload(x))
                   .sync();
  const auto places = std::get<0>(given).to_host();
  const auto values = std::get<1>(given).to_host();
  EXPECT_EQ(places, argmax_reference(x));
  EXPECT_EQ(places[1], 70);
  EXPECT_TRUE(std::isnan(values[1]));
  for (const index_t row : {0, 2}) {
    EXPECT_EQ(values[static_cast<std::size_t>(row)], x.at(row, places[static_cast<std::size_t>(row)]));
  }
}

// Two launches: pieces of the row, then the pieces.
TEST_P(Argmax, InPiecesGivesTheSame) {
  for (const index_t columns : {1, 5, 64, 1000}) {
    SCOPED_TRACE(columns);
    auto x = random_matrix<f32>(3, columns);
    for (f32& value : x.values) value = std::min(value, 0.5f);  // several greatest ones
    if (columns == 1000) x.at(1, 700) = from_f64<f32>(not_a_number);
    const index_t pieces = (columns + 15) / 16;
    auto parts = kernels::argmax_pieces<f32>()
                     .with(BN = 16)(poisoned<i64>({3, pieces}).partition({1, 1}),
                                    poisoned<f32>({3, pieces}).partition({1, 1}), upload(x))
                     .sync();
    auto given = kernels::argmax_join<f32>()
                     .with(kernels::PIECES = 64)(
                         poisoned<i64>({3, 1}).partition({1, 1}), poisoned<f32>({3, 1}).partition({1, 1}),
                         std::move(std::get<0>(parts)).share(), std::move(std::get<1>(parts)).share())
                     .sync();
    const auto places = std::get<0>(given).to_host();
    const auto values = std::get<1>(given).to_host();
    EXPECT_EQ(places, argmax_reference(x));
    for (index_t row = 0; row < 3; ++row) {
      const f32 greatest = x.at(row, places[static_cast<std::size_t>(row)]);
      EXPECT_TRUE(values[static_cast<std::size_t>(row)] == greatest || std::isnan(greatest)) << row;
    }
  }
}

TEST_P(Argmax, WorksOnNarrowFloatsAndIntegers) {
  const auto halves = random_matrix<f16>(2, 100);
  EXPECT_EQ(run(halves, 1, 16), argmax_reference(halves));
  const auto brains = random_matrix<bf16>(2, 100);
  EXPECT_EQ(run(brains, 1, 16), argmax_reference(brains));
  const auto integers = random_matrix<i32>(2, 100);
  EXPECT_EQ(run(integers, 1, 16), argmax_reference(integers));
}

// KER-03
TEST_P(Argmax, TakesTheLowestIndexAmongEquals) {
  for (const int tile : {1, 2, 4, 64}) {
    SCOPED_TRACE(tile);
    EXPECT_EQ(of_row<f32>({1, 3, 1, 3, 1}, tile), 1);
    EXPECT_EQ(of_row(std::vector<f32>(16, -5.0f), tile), 0);
    EXPECT_EQ(of_row(std::vector<f32>(5, static_cast<f32>(-infinity)), tile), 0);
    EXPECT_EQ(of_row(std::vector<i32>(4, INT32_MIN), tile), 0);
    EXPECT_EQ(of_row<f32>({-0.0f, +0.0f}, tile), 0);
    EXPECT_EQ(of_row<f32>({static_cast<f32>(-infinity), static_cast<f32>(-infinity), -1.0f}, tile), 2);
  }
}

// KER-03
TEST_P(Argmax, TakesTheFirstNan) {
  const auto nan = from_f64<f32>(not_a_number);
  for (const int tile : {1, 2, 4, 64}) {
    SCOPED_TRACE(tile);
    EXPECT_EQ(of_row<f32>({1, nan, 3, nan}, tile), 1);
    EXPECT_EQ(of_row<f32>({static_cast<f32>(infinity), 2, nan}, tile), 2);
    EXPECT_EQ(of_row(std::vector<f32>(61, nan), tile), 0);
  }
}

// KER-03: an axis of extent 1 gives 0 for all 36000 rows.
TEST_P(Argmax, OverAnAxisOfOneIsZero) {
  const index_t rows = is_interp() ? 900 : 36000;
  EXPECT_EQ(run(matrix<f32>(rows, 1), 60, 1), std::vector<i64>(static_cast<std::size_t>(rows), 0));
}

// KER-03: the row of a large vocabulary.
TEST_P(Argmax, OfALongRowIsTheSameForEveryTile) {
  matrix<f32> x(1, 151936);
  x.at(0, 7) = 1.0f;
  x.at(0, 151935) = 1.0f;
  for (const int tile : {64, 1024, 151936}) {
    SCOPED_TRACE(tile);
    EXPECT_EQ(run(x, 1, tile)[0], 7);
  }
}

// KER-03
TEST_P(Argmax, IsTheSameEveryTime) {
  if (is_interp()) GTEST_SKIP() << "too slow for the interpreter";
  matrix<f32> x(1, 151936);
  x.at(0, 7) = 1.0f;
  x.at(0, 151935) = 1.0f;
  for (int repeat = 0; repeat < 100; ++repeat) ASSERT_EQ(run(x, 1, 1024)[0], 7) << repeat;
}

// KER-06
TEST_P(Argmax, IgnoresWhatLiesPastTheRow) {
  matrix<f32> x(1, 4);
  x.values = {-5, -6, -7, static_cast<f32>(infinity)};
  EXPECT_EQ(
      output(kernels::argmax_row<f32>().with(BN = 4)(poisoned<i64>({1}).partition({1}), upload(x).slice(1, 0, 3)))[0],
      0);
}

TEST_P(Argmax, OfNoRowsDoesNothing) { EXPECT_TRUE(run(matrix<f32>(0, 3)).empty()); }

// KER-07: refused before the launch, naming the axis.
TEST_P(Argmax, OfRowsWithoutColumnsIsRefused) {
  try {
    (void)run(matrix<f32>(3, 0));
    FAIL() << "accepted";
  } catch (const usage_error& e) {
    EXPECT_NE(std::string(e.what()).find("axis 1"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("argmax.hpp"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace tilewright::test
