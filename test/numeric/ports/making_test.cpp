// SPDX-License-Identifier: Apache-2.0
#include "ports/making.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "ports/dropout.hpp"

namespace tilewright::test {
namespace {

class Making : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(Making);

TEST_P(Making, HelloNumbersTheBlocks) {
  EXPECT_EQ(output(ports::hello(poisoned<i64>({2, 3}).partition({1, 1}))), (std::vector<i64>{0, 1, 2, 3, 4, 5}));
}

TEST_P(Making, ArangeCountsOnAcrossBlocks) {
  for (const index_t count : {0, 1, 7, 100}) {
    std::vector<i32> expected;
    for (index_t i = 0; i < count; ++i) expected.push_back(static_cast<i32>(5 - 3 * i));
    EXPECT_EQ(output(ports::arange(poisoned<i32>({count}).partition({8}), 5, -3)), expected);
  }
}

// |error| <= 3 eps (|first| + |last|): of the step, multiplied, and of the sum.
TEST_P(Making, LinspaceIsEvenAndExactAtBothEnds) {
  for (const index_t count : {1, 2, 3, 100}) {
    const f32 first = -1.7f, last = 30.3f;
    const auto got = output(ports::linspace(poisoned<f32>({count}).partition({16}), first, last));
    expectation expected;
    for (index_t i = 0; i < count; ++i) {
      const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
      expected.add(static_cast<double>(first) + (static_cast<double>(last) - first) * part, 3 * f32_epsilon * 32.0);
    }
    expect_within(got, expected);
    EXPECT_EQ(got.front(), first);
    EXPECT_EQ(got.back(), count > 1 ? last : first);
  }
}

TEST_P(Making, EyeAndFullAndOneHotFillWhatTheySay) {
  const auto eye = output(ports::eye<f16>(poisoned<f16>({5, 7}).partition({2, 4}), 2));
  const auto full = output(ports::full<bf16>(poisoned<bf16>({5, 7}).partition({4, 4}), bf16(-2.5f)));
  const auto hot = output(
      ports::one_hot_rows<f32>(poisoned<f32>({5, 7}).partition({2, 4}), upload(std::vector<i32>{6, -1, 7, 0, 3})));
  const index_t ones[] = {6, -1, 7, 0, 3};
  for (index_t i = 0; i < 35; ++i) {
    const auto place = static_cast<std::size_t>(i);
    EXPECT_EQ(to_f64(eye[place]), i % 7 - i / 7 == 2 ? 1.0 : 0.0) << i;
    EXPECT_EQ(to_f64(full[place]), -2.5) << i;
    EXPECT_EQ(hot[place], i % 7 == ones[i / 7] ? 1.0f : 0.0f) << i;
  }
}

// Into rows of a longer tensor, as a KV cache takes them: what lies around them stays.
TEST_P(Making, ConvertsIntoRowsOfACache) {
  const auto x = random_matrix<f32>(3, 20);
  auto cache = device().full({8, 20}, f16(9.0f));
  ports::convert<f16, f32>(cache.slice(0, 4, 7).partition({2, 8}), upload(x)).sync();
  const auto got = cache.to_host();
  for (index_t i = 0; i < 160; ++i) {
    const bool is_new = i >= 80 && i < 140;
    const f16 expected = is_new ? f16(x.values[static_cast<std::size_t>(i - 80)]) : f16(9.0f);
    EXPECT_EQ(to_f64(got[static_cast<std::size_t>(i)]), to_f64(expected)) << i;
  }
}

class Dropout : public KernelTest {
 protected:
  static std::vector<f32> run(const std::vector<f32>& x, f32 rate, u64 seed, index_t piece) {
    const auto count = static_cast<index_t>(x.size());
    return output(ports::dropout<f32>(poisoned<f32>({count}).partition({piece}), upload(x), rate, seed));
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Dropout);

TEST_P(Dropout, KeepsTheShareThatItIsToldAndScalesIt) {
  const std::vector<f32> x(10'000, 3.0f);
  const auto z = run(x, 0.25f, 7, 256);
  index_t kept = 0;
  for (const f32 value : z) {
    ASSERT_TRUE(value == 0.0f || value == 4.0f) << value;
    kept += value != 0.0f ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(kept), 7500.0, 6 * std::sqrt(10'000 * 0.25 * 0.75));  // six deviations
}

TEST_P(Dropout, ChoosesTheSameForTheGradientInAnyPieces) {
  const auto x = random_matrix<f32>(1, 1001, 3).values;
  const auto z = run(x, 0.5f, 99, 64), gradient = run(std::vector<f32>(1001, 1.0f), 0.5f, 99, 1024);
  for (std::size_t i = 0; i < z.size(); ++i) ASSERT_EQ(z[i], gradient[i] * x[i]) << i;
  EXPECT_NE(z, run(x, 0.5f, 100, 64));
  EXPECT_EQ(run(x, 0.0f, 99, 64), x);
}

TEST_P(Dropout, DropsAllAtARateOfOne) {
  EXPECT_EQ(run(std::vector<f32>(100, 5.0f), 1.0f, 1, 16), std::vector<f32>(100, 0.0f));
  EXPECT_TRUE(run({}, 0.5f, 1, 16).empty());
}

}  // namespace
}  // namespace tilewright::test
