// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/embedding.hpp"

#include "numeric/kernels/kernel_test.hpp"

namespace tilewright::test {
namespace {

class Embedding : public KernelTest {
 protected:
  template <class T>
  static std::vector<f32> run(const matrix<T>& table, const std::vector<i32>& ids, index_t tile) {
    const auto tokens = static_cast<index_t>(ids.size());
    return output(kernels::embedding<T>()(poisoned<f32>({tokens, table.columns}).partition({1, tile}), upload(table),
                                          upload(ids)));
  }
  template <class T>
  static std::vector<f32> rows_of(const matrix<T>& table, const std::vector<index_t>& rows) {
    std::vector<f32> values;
    for (const index_t row : rows) {
      for (index_t j = 0; j < table.columns; ++j) values.push_back(static_cast<f32>(to_f64(table.at(row, j))));
    }
    return values;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Embedding);

TEST_P(Embedding, CopiesRowsExactly) {
  for (const index_t columns : {index_t{1}, index_t{37}, index_t{128}}) {
    SCOPED_TRACE(columns);
    const auto table = random_matrix<f32>(11, columns);
    EXPECT_EQ(run(table, {10, 0, 5, 5}, 32), rows_of(table, {10, 0, 5, 5}));
  }
  const auto halves = random_matrix<f16>(4, 70);
  EXPECT_EQ(run(halves, {3, 1}, 64), rows_of(halves, {3, 1}));
  const auto brains = random_matrix<bf16>(4, 70);
  EXPECT_EQ(run(brains, {2}, 70), rows_of(brains, {2}));
}

TEST_P(Embedding, ClampsIdsToTheTable) {
  const auto table = random_matrix<f32>(5, 8);
  EXPECT_EQ(run(table, {-1, 5, 2147483647, -2147483647 - 1}, 8), rows_of(table, {0, 4, 4, 0}));
}

TEST_P(Embedding, OfNoIdsDoesNothing) { EXPECT_TRUE(run(random_matrix<f32>(5, 8), {}, 8).empty()); }

// value = quant * scale, one rounding: |error| <= half an ULP.
TEST_P(Embedding, OfQ8PlanesRoundsOnce) {
  for (const index_t columns : {index_t{32}, index_t{96}, index_t{576}}) {
    SCOPED_TRACE(columns);
    const auto quants = random_matrix<i8>(7, columns);
    const auto scales = random_matrix<f32>(7, columns / 32, 7);
    const std::vector<i32> ids{6, 0, 99};
    expectation expected;
    for (const index_t row : {6, 0, 6}) {
      for (index_t j = 0; j < columns; ++j) {
        const double value = to_f64(quants.at(row, j)) * to_f64(scales.at(row, j / 32));
        expected.add(value, 0x1p-24 * std::abs(value));
      }
    }
    expect_within(
        output(kernels::embedding_q8_0()(poisoned<f32>({3, columns / 32, 32}).partition({1, columns / 32, 32}),
                                         upload(quants.values, {7, columns / 32, 32}), upload(scales), upload(ids))),
        expected);
    const std::vector<i64> wide_ids{6, 0, i64{1} << 40};
    expect_within(output(kernels::embedding_q8_0<i64>()(
                      poisoned<f32>({3, columns / 32, 32}).partition({1, columns / 32, 32}),
                      upload(quants.values, {7, columns / 32, 32}), upload(scales), upload(wide_ids))),
                  expected);
  }
}

// value = quant * scale + minimum, one rounding: |error| <= half an ULP.
TEST_P(Embedding, OfQ4PlanesRoundsOnce) {
  for (const index_t groups : {index_t{1}, index_t{3}, index_t{9}}) {
    SCOPED_TRACE(groups);
    const index_t half = 32 * groups;
    matrix<u8> quants(7, half);
    for (index_t i = 0; i < 7 * half; ++i) quants.at(i / half, i % half) = static_cast<u8>(i * 37 % 256);
    const auto scales = random_matrix<f32>(7, 2 * groups, 7);
    const auto minimums = random_matrix<f32>(7, 2 * groups, 9);
    const std::vector<i64> ids{6, 0, -5};
    expectation expected;
    for (const index_t row : {6, 0, 0}) {
      for (index_t j = 0; j < 2 * half; ++j) {
        const unsigned pair = quants.at(row, j % half);
        const double value =
            (j < half ? pair & 15U : pair >> 4) * to_f64(scales.at(row, j / 32)) + to_f64(minimums.at(row, j / 32));
        expected.add(value, 0x1p-24 * std::abs(value));
      }
    }
    expect_within(
        output(kernels::embedding_q4<i64>()(
            poisoned<f32>({3, 2, groups, 32}).partition({1, 2, groups, 32}), upload(quants.values, {7, groups, 32}),
            upload(scales.values, {7, 2, groups}), upload(minimums.values, {7, 2, groups}), upload(ids))),
        expected);
  }
}

}  // namespace
}  // namespace tilewright::test
