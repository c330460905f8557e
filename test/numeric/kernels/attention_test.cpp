// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/attention.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

using kernels::BN;
using kernels::HEADS;
using kernels::PARTS;
using kernels::STEPS;

// Tiles of one launch: queries of a block and keys of a step.
struct attention_tiles {
  index_t queries;
  int keys;
};

class Attention : public KernelTest {
 protected:
  struct inputs {
    matrix<f32> q, k, v;
  };
  static inputs random_inputs(index_t queries, index_t keys, const attention_shape& shape) {
    return {random_matrix<f32>(queries, shape.heads * shape.head_size),
            random_matrix<f32>(keys, shape.key_heads * shape.head_size, 7),
            random_matrix<f32>(keys, shape.key_heads * shape.head_size, 9)};
  }

  template <class Kernel>
  static auto bound(const Kernel& kernel, const attention_shape& shape, int keys) {
    return kernel.with(dim<HEADS>(shape.heads / shape.key_heads), dim<BN>(keys));
  }

  template <class T>
  static std::vector<T> prefill(const matrix<T>& q, const matrix<T>& k, const matrix<T>& v,
                                const attention_shape& shape, attention_tiles tiles) {
    return output(bound(kernels::attention<T>(), shape, tiles.keys)(
        poisoned<T>({q.rows, q.columns}).partition({tiles.queries, shape.head_size}), upload(q), upload(k), upload(v),
        static_cast<f32>(shape.scale), static_cast<i32>(shape.first)));
  }

  // Values and log-sum-exp.
  static std::pair<std::vector<f32>, std::vector<f32>> prefill_lse(const inputs& in, const attention_shape& shape,
                                                                   attention_tiles tiles) {
    auto given = bound(kernels::attention_lse<f32>(), shape, tiles.keys)(
                     poisoned<f32>({in.q.rows, in.q.columns}).partition({tiles.queries, shape.head_size}),
                     poisoned<f32>({in.q.rows, shape.heads}).partition({tiles.queries, 1}), upload(in.q), upload(in.k),
                     upload(in.v), static_cast<f32>(shape.scale), static_cast<i32>(shape.first))
                     .sync();
    return {std::get<0>(given).to_host(), std::get<1>(given).to_host()};
  }

  template <class T>
  static std::vector<T> decode(const matrix<T>& q, const matrix<T>& k, const matrix<T>& v, const attention_shape& shape,
                               int keys) {
    return output(bound(kernels::attention_decode<T>(), shape, keys)(
        poisoned<T>({1, q.columns}).partition({1, shape.head_size}), upload(q), upload(k), upload(v),
        static_cast<f32>(shape.scale), static_cast<i32>(shape.first)));
  }

  // In parts of `steps` key tiles, then merged.
  static std::vector<f32> split(const inputs& in, const attention_shape& shape, int keys, int steps) {
    const index_t parts = (in.k.rows + keys * steps - 1) / (keys * steps);
    auto given =
        bound(kernels::attention_split<f32>(), shape, keys)
            .with(dim<STEPS>(steps))(poisoned<f32>({parts, in.q.columns}).partition({1, shape.head_size}),
                                     poisoned<f32>({parts, shape.heads}).partition({1, 1}), upload(in.q), upload(in.k),
                                     upload(in.v), static_cast<f32>(shape.scale), static_cast<i32>(shape.first))
            .sync();
    return output(kernels::attention_merge<f32>().with(PARTS = 8)(
        poisoned<f32>({1, in.q.columns}).partition({1, shape.head_size}), std::move(std::get<0>(given)).share(),
        std::move(std::get<1>(given)).share()));
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Attention);

struct attention_case {
  index_t queries, keys, heads, key_heads, head_size;
  attention_tiles tiles;
};
constexpr attention_case attention_cases[] = {
    {1, 1, 1, 1, 1, {1, 1}},      {3, 3, 1, 1, 4, {2, 2}},     {5, 9, 4, 2, 8, {4, 4}},
    {16, 16, 2, 1, 16, {16, 16}}, {17, 40, 6, 2, 12, {8, 16}}, {33, 33, 3, 3, 64, {16, 64}},
};

TEST_P(Attention, PrefillKeepsItsBoundOnEveryShape) {
  for (const attention_case& c : attention_cases) {
    SCOPED_TRACE(testing::Message() << c.queries << " queries, " << c.keys << " keys, " << c.heads << "/" << c.key_heads
                                    << " heads of " << c.head_size);
    const attention_shape shape{c.heads, c.key_heads, c.head_size, 0, 1.7};
    const inputs in = random_inputs(c.queries, c.keys, shape);
    expect_within(prefill(in.q, in.k, in.v, shape, c.tiles), attention_reference(in.q, in.k, in.v, shape).values);
  }
}

// Every key for every query: as for the last query of a causal launch.
TEST_P(Attention, FullKeepsItsBoundOnEveryShape) {
  for (const attention_case& c : attention_cases) {
    SCOPED_TRACE(testing::Message() << c.queries << " queries, " << c.keys << " keys, " << c.heads << "/" << c.key_heads
                                    << " heads of " << c.head_size);
    const double scale = 1 / std::sqrt(static_cast<double>(c.head_size));
    const attention_shape shape{c.heads, c.key_heads, c.head_size, 0, scale};
    const inputs in = random_inputs(c.queries, c.keys, shape);
    expectation expected;
    for (index_t row = 0; row < c.queries; ++row) {
      matrix<f32> query(1, in.q.columns);
      for (index_t column = 0; column < in.q.columns; ++column) query.at(0, column) = in.q.at(row, column);
      const expectation one = attention_reference(query, in.k, in.v, shape).values;
      for (std::size_t i = 0; i < one.bound.size(); ++i) expected.add(one.reference[i], one.bound[i]);
    }
    expect_within(output(bound(kernels::attention_full<f32>(), shape, c.tiles.keys)(
                      poisoned<f32>({c.queries, in.q.columns}).partition({c.tiles.queries, c.head_size}), upload(in.q),
                      upload(in.k), upload(in.v))),
                  expected);
  }
}

TEST_P(Attention, LogSumExpKeepsItsBound) {
  const attention_shape shape{4, 2, 8, 0, 0.35};
  const inputs in = random_inputs(7, 21, shape);
  const auto [values, log_sums] = prefill_lse(in, shape, {4, 8});
  const auto expected = attention_reference(in.q, in.k, in.v, shape);
  expect_within(values, expected.values);
  expect_within(log_sums, expected.log_sums);
}

TEST_P(Attention, DecodeKeepsItsBoundOnEveryShape) {
  for (const index_t keys : {1, 2, 63, 64, 65, 200}) {
    SCOPED_TRACE(keys);
    const attention_shape shape{6, 2, 16, 0, 0.25};
    const inputs in = random_inputs(1, keys, shape);
    expect_within(decode(in.q, in.k, in.v, shape, 64), attention_reference(in.q, in.k, in.v, shape).values);
  }
}

TEST_P(Attention, SplitDecodeKeepsItsBound) {
  const attention_shape shape{6, 2, 16, 0, 0.25};
  const inputs in = random_inputs(1, 77, shape);
  expect_within(split(in, shape, 16, 2), attention_reference(in.q, in.k, in.v, shape).values);
}

TEST_P(Attention, InNarrowTypesKeepsItsBound) {
  const attention_shape shape{4, 2, 16, 0, 0.25};
  const auto q = random_matrix<f16>(5, 64);
  const auto k = random_matrix<f16>(21, 32, 7);
  const auto v = random_matrix<f16>(21, 32, 9);
  expect_within(prefill(q, k, v, shape, {4, 8}), attention_reference(q, k, v, shape).values);
  const auto last = random_matrix<f16>(1, 64);
  expect_within(decode(last, k, v, shape, 8), attention_reference(last, k, v, shape).values);
  const auto bq = random_matrix<bf16>(5, 64);
  const auto bk = random_matrix<bf16>(21, 32, 7);
  expect_within(prefill(bq, bk, bk, shape, {4, 8}), attention_reference(bq, bk, bk, shape).values);
}

// KER-02: scores of 180000 stay in f32.
TEST_P(Attention, KeepsLargeScoresOfHalves) {
  const attention_shape shape{1, 1, 4, 0, 0.5};
  matrix<f16> v(3, 4);
  for (index_t i = 0; i < 12; ++i) v.at(i / 4, i % 4) = f16(static_cast<float>(i / 4 + 1));
  const matrix<f16> q(1, 4, f16(300.0f));
  const matrix<f16> k(3, 4, f16(300.0f));
  for (const f16 value : prefill(q, k, v, shape, {1, 4})) EXPECT_EQ(to_f64(value), 2.0);
  for (const f16 value : decode(q, k, v, shape, 4)) EXPECT_EQ(to_f64(value), 2.0);
}

// KER-01 a
TEST_P(Attention, QueriesBeforeTheFirstKeyGiveZeros) {
  const attention_shape shape{1, 1, 2, 0, 1.0};
  inputs in{matrix<f32>(4, 2), matrix<f32>(2, 2), matrix<f32>(2, 2)};
  in.v.values = {1, 2, 3, 4};
  for (const attention_tiles tiles : {attention_tiles{4, 2}, attention_tiles{1, 1}, attention_tiles{2, 64}}) {
    SCOPED_TRACE(testing::Message() << tiles.queries << " queries, " << tiles.keys << " keys a tile");
    const auto [values, log_sums] = prefill_lse(in, shape, tiles);
    EXPECT_EQ(values, (std::vector<f32>{0, 0, 0, 0, 1, 2, 2, 3}));
    const auto nothing = static_cast<f32>(-infinity);
    EXPECT_EQ(log_sums, (std::vector<f32>{nothing, nothing, 0, 0.6931472f}));
  }
}

// KER-01 b and c: keys 0..63 masked, in one walk and in parts of which four are empty.
TEST_P(Attention, LeadingMaskedTilesChangeNothing) {
  const attention_shape shape{1, 1, 2, 64, 1.0};
  inputs in{matrix<f32>(1, 2), matrix<f32>(66, 2), matrix<f32>(66, 2)};
  for (index_t j = 0; j < 66; ++j) {
    in.v.at(j, 0) = static_cast<f32>(j);
    in.v.at(j, 1) = static_cast<f32>(-j);
  }
  const std::vector<f32> expected{64.5f, -64.5f};
  for (const int keys : {16, 64}) {
    SCOPED_TRACE(keys);
    const auto [values, log_sums] = prefill_lse(in, shape, {1, keys});
    EXPECT_EQ(values, expected);
    EXPECT_EQ(log_sums[0], 0.6931472f);
    EXPECT_EQ(decode(in.q, in.k, in.v, shape, keys), expected);
  }
  EXPECT_EQ(split(in, shape, 16, 1), expected);
}

TEST_P(Attention, OfMaskedKeysOnlyIsZeroInEveryForm) {
  const attention_shape shape{1, 1, 2, 66, 1.0};
  const inputs in = random_inputs(1, 66, shape);
  const std::vector<f32> zeros(2, 0.0f);
  EXPECT_EQ(prefill(in.q, in.k, in.v, shape, {1, 16}), zeros);
  EXPECT_EQ(decode(in.q, in.k, in.v, shape, 16), zeros);
  EXPECT_EQ(split(in, shape, 16, 1), zeros);
}

// KER-01 d
TEST_P(Attention, WithoutKeysIsZero) {
  const attention_shape shape{1, 1, 2, 0, 1.0};
  const inputs in = random_inputs(3, 0, shape);
  const auto [values, log_sums] = prefill_lse(in, shape, {4, 16});
  EXPECT_EQ(values, std::vector<f32>(6, 0.0f));
  EXPECT_EQ(log_sums, std::vector<f32>(3, static_cast<f32>(-infinity)));
  EXPECT_EQ(decode(random_matrix<f32>(1, 2), in.k, in.v, shape, 16), std::vector<f32>(2, 0.0f));
}

// KER-07
TEST_P(Attention, WithoutQueriesDoesNothing) {
  const attention_shape shape{1, 1, 2, 0, 1.0};
  const inputs in = random_inputs(0, 5, shape);
  EXPECT_TRUE(prefill(in.q, in.k, in.v, shape, {4, 16}).empty());
}

// KER-06: the memory past the last key holds NaN.
TEST_P(Attention, IgnoresTheRestOfAKeyCache) {
  const attention_shape shape{2, 1, 4, 0, 0.5};
  const inputs in = random_inputs(1, 20, shape);
  auto k = in.k;
  auto v = in.v;
  for (index_t i = 11 * 4; i < 80; ++i) {
    k.values[static_cast<std::size_t>(i)] = from_f64<f32>(not_a_number);
    v.values[static_cast<std::size_t>(i)] = from_f64<f32>(not_a_number);
  }
  inputs visible{in.q, matrix<f32>(11, 4), matrix<f32>(11, 4)};
  visible.k.values.assign(in.k.values.begin(), in.k.values.begin() + 44);
  visible.v.values.assign(in.v.values.begin(), in.v.values.begin() + 44);
  const auto expected = attention_reference(visible.q, visible.k, visible.v, shape).values;
  expect_within(
      output(bound(kernels::attention<f32>(), shape, 8)(poisoned<f32>({1, 8}).partition({1, 4}), upload(in.q),
                                                        upload(k).slice(0, 0, 11), upload(v).slice(0, 0, 11), 0.5f, 0)),
      expected);
  expect_within(output(bound(kernels::attention_decode<f32>(), shape, 8)(poisoned<f32>({1, 8}).partition({1, 4}),
                                                                         upload(in.q), upload(k).slice(0, 0, 11),
                                                                         upload(v).slice(0, 0, 11), 0.5f, 0)),
                expected);
}

// A score of -inf weighs nothing, as a masked one: keys of -inf, first alone in a step and then all of them.
TEST_P(Attention, KeysOfMinusInfinityWeighNothing) {
  const attention_shape shape{1, 1, 1, 0, 1.0};
  inputs in{matrix<f32>(1, 1, 1.0f), matrix<f32>(3, 1, static_cast<f32>(-infinity)), matrix<f32>(3, 1)};
  in.v.values = {5, 6, 7};
  const auto expect_value = [&](f32 value, f32 log_sum) {
    for (const int keys : {1, 2, 4}) {
      SCOPED_TRACE(keys);
      const auto [values, log_sums] = prefill_lse(in, shape, {1, keys});
      EXPECT_EQ(values, std::vector<f32>{value});
      EXPECT_EQ(log_sums, std::vector<f32>{log_sum});
      EXPECT_EQ(decode(in.q, in.k, in.v, shape, keys), std::vector<f32>{value});
      EXPECT_EQ(split(in, shape, keys, 1), std::vector<f32>{value});
    }
  };
  expect_value(0.0f, static_cast<f32>(-infinity));
  in.k.at(1, 0) = 0.0f;
  expect_value(6.0f, 0.0f);
}

TEST_P(Attention, NanOfAKeyReachesTheQueriesThatSeeIt) {
  const attention_shape shape{1, 1, 2, 0, 1.0};
  inputs in = random_inputs(3, 3, shape);
  in.k.at(2, 0) = from_f64<f32>(not_a_number);
  const auto result = prefill(in.q, in.k, in.v, shape, {1, 4});
  EXPECT_FALSE(std::isnan(result[0]) || std::isnan(result[2]));
  EXPECT_TRUE(std::isnan(result[4]) && std::isnan(result[5]));
}

}  // namespace
}  // namespace tilewright::test
