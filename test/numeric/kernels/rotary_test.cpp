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
    if (is_gpu() && size == 6) {  // whose tiles join only where halves are powers of two
      EXPECT_THROW((void)run(x, size, 11, 16), compile_error);
      continue;
    }
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

// Joint rows of queries, keys and values, in one launch.
class JointRows : public Rotary {
 protected:
  static constexpr index_t size = 8, pairs = 4, heads = 6, key_heads = 2, tokens = 3, first = 4, positions = 7;
  matrix<f32> x = random_matrix<f32>(tokens, (heads + 2 * key_heads) * size);
  kernels::rotary_tables tables = kernels::make_rotary_tables(positions, size, 1e4);

  template <class T>
  static auto queries() {
    return poisoned<T>({tokens, heads, 2, pairs}).partition({1, heads / key_heads, 2, pairs});
  }
  template <class T>
  static auto keys() {
    return poisoned<T>({tokens, key_heads, 2, pairs}).partition({1, 1, 2, pairs});
  }
  auto rows() const { return upload(x.values, {tokens, heads + 2 * key_heads, 2, pairs}); }
  auto cosines() const { return upload(tables.cosines, {positions, pairs}); }
  auto sines() const { return upload(tables.sines, {positions, pairs}); }

  // The part of all columns that begins at `from`.
  static expectation part(const expectation& whole, index_t from, index_t columns) {
    constexpr index_t all_columns = (heads + 2 * key_heads) * size;
    expectation result;
    for (index_t token = 0; token < tokens; ++token) {
      for (index_t column = from; column < from + columns; ++column) {
        const auto place = static_cast<std::size_t>(token * all_columns + column);
        result.add(whole.reference[place], whole.bound[place]);
      }
    }
    return result;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(JointRows);

// The turned parts keep rotary's bound, values are copied.
TEST_P(JointRows, AreTurnedButForValues) {
  auto given = kernels::rotary_qkv<f32>()
                   .with(dim<kernels::HEADS>(heads / key_heads))(queries<f32>(), keys<f32>(), keys<f32>(), rows(),
                                                                 cosines(), sines(), static_cast<i32>(first))
                   .sync();
  const expectation whole = reference(x, size, first);
  expect_within(std::get<0>(given).to_host(), part(whole, 0, heads * size));
  expect_within(std::get<1>(given).to_host(), part(whole, heads * size, key_heads * size));
  const auto values = std::get<2>(given).to_host();
  for (index_t i = 0; i < tokens * key_heads * size; ++i) {
    const index_t column = (heads + key_heads) * size + i % (key_heads * size);
    EXPECT_EQ(values[static_cast<std::size_t>(i)], x.at(i / (key_heads * size), column)) << i;
  }
}

// Heads are normalised in f64 here, then turned: each factor adds (size + 8) eps.
TEST_P(JointRows, WithNormsAreNormalisedByHeadAndTurned) {
  constexpr double offset = 1e-6;
  const auto norms = random_matrix<f32>(2, size, 5);
  matrix<f64> normal(tokens, x.columns);
  for (index_t token = 0; token < tokens; ++token) {
    for (index_t column = 0; column < x.columns; ++column) {
      const index_t head = column / size;
      double squares = 0;
      for (index_t i = 0; i < size; ++i) squares += std::pow(to_f64(x.at(token, head * size + i)), 2);
      const double scale = 1 / std::sqrt(squares / size + offset);
      normal.at(token, column) =
          to_f64(x.at(token, column)) * scale * to_f64(norms.at(head < heads ? 0 : 1, column % size));
    }
  }
  expectation whole = reference(normal, size, first);
  for (std::size_t i = 0; i < whole.bound.size(); ++i) {
    whole.bound[i] = whole.bound[i] * (size + 8) + 0.5 * epsilon<bf16>() * std::abs(whole.reference[i]);
  }
  const auto norm = [&](index_t row) {
    const auto from = norms.values.begin() + row * size;
    return upload(std::vector<f32>(from, from + size), {2, pairs});
  };
  auto given = kernels::norm_rotary_qkv<bf16>()
                   .with(dim<kernels::HEADS>(heads / key_heads))(queries<bf16>(), keys<bf16>(), keys<bf16>(), rows(),
                                                                 norm(0), norm(1), static_cast<f32>(offset), cosines(),
                                                                 sines(), static_cast<i32>(first))
                   .sync();
  expect_within(std::get<0>(given).to_host(), part(whole, 0, heads * size));
  expect_within(std::get<1>(given).to_host(), part(whole, heads * size, key_heads * size));
  const auto values = std::get<2>(given).to_host();
  for (index_t i = 0; i < tokens * key_heads * size; ++i) {
    const index_t column = (heads + key_heads) * size + i % (key_heads * size);
    EXPECT_EQ(to_f64(values[static_cast<std::size_t>(i)]), to_f64(bf16(x.at(i / (key_heads * size), column)))) << i;
  }
}

TEST_P(Rotary, OfNoTokensDoesNothing) { EXPECT_TRUE(run(matrix<f32>(0, 8), 8, 0, 1).empty()); }

}  // namespace
}  // namespace tilewright::test
