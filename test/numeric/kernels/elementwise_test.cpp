// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/elementwise.hpp"

#include <algorithm>

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

using kernels::BM;
using kernels::BN;

class Elementwise : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(Elementwise);

template <class T>
std::vector<T> random_vector(index_t count, unsigned seed = input_seed) {
  return random_matrix<T>(1, count, seed).values;
}

constexpr index_t lengths[] = {0, 1, 7, 64, 1000, 4097};

TEST_P(Elementwise, AddRoundsEachSumOnce) {
  for (const index_t length : lengths) {
    SCOPED_TRACE(length);
    const auto x = random_vector<f32>(length);
    const auto y = random_vector<f32>(length, 7);
    expectation expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double sum = to_f64(x[i]) + to_f64(y[i]);
      expected.add(sum, 0.5 * f32_epsilon * std::abs(sum));
    }
    expect_within(output(kernels::add<f32, BN>()(poisoned<f32>({length}).partition({128}), upload(x), upload(y))),
                  expected);
  }
}

// 32 MiB of output, which the cpu back end writes past the caches; next to one that it writes into them.
TEST_P(Elementwise, LargeOutputsAreWrittenWhole) {
  if (is_interp() || GetParam().is_scattered) GTEST_SKIP() << "only dense outputs on cpu are written so";
  constexpr index_t large = index_t{1} << 23, small = index_t{1} << 20;
  const auto x = random_vector<f32>(large), y = random_vector<f32>(large, 7);
  for (const index_t length : {small, large, large + 1}) {
    std::vector<f32> a(x.begin(), x.begin() + std::min(length, large)),
        b(y.begin(), y.begin() + std::min(length, large));
    a.resize(static_cast<std::size_t>(length), 1.0f);
    b.resize(static_cast<std::size_t>(length), 2.0f);
    const auto sums = output(kernels::add<f32, BN>()(poisoned<f32>({length}).partition({4096}), upload(a), upload(b)));
    index_t wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) wrong += sums[i] == a[i] + b[i] ? 0 : 1;
    EXPECT_EQ(sums.size(), static_cast<std::size_t>(length));
    EXPECT_EQ(wrong, 0) << "of " << length;
  }
}

TEST_P(Elementwise, AddOfMatricesInF16RoundsOnce) {
  const auto x = random_matrix<f16>(5, 33);
  const auto y = random_matrix<f16>(5, 33, 7);
  expectation expected;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double sum = to_f64(x.values[i]) + to_f64(y.values[i]);
    expected.add(sum, store_rounding<f16>(sum));
  }
  expect_within(output(kernels::add<f16, BM, BN>()(poisoned<f16>({5, 33}).partition({2, 16}), upload(x), upload(y))),
                expected);
}

TEST_P(Elementwise, AddKeepsNanAndInfinitiesInTheirPlaces) {
  const auto inf = static_cast<f32>(infinity);
  const std::vector<f32> x{inf, -inf, inf, 1.0f, -0.0f, 0x1p-149f};
  const std::vector<f32> y{1.0f, 1.0f, -inf, from_f64<f32>(not_a_number), -0.0f, 0x1p-149f};
  expectation expected;
  for (const double sum : {infinity, -infinity, not_a_number, not_a_number, -0.0, 0x1p-148}) expected.add(sum, 0.0);
  expect_within(output(kernels::add<f32, BN>()(poisoned<f32>({6}).partition({4}), upload(x), upload(y))), expected);
}

TEST_P(Elementwise, SaxpyRoundsOnce) {
  for (const index_t length : lengths) {
    SCOPED_TRACE(length);
    const auto x = random_vector<f32>(length);
    const auto y = random_vector<f32>(length, 7);
    expectation expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double sum = 0.3f * to_f64(x[i]) + to_f64(y[i]);
      expected.add(sum, 0.5 * f32_epsilon * std::abs(sum) + 0x1p-60);
    }
    expect_within(
        output(kernels::saxpy<f32, BN>()(poisoned<f32>({length}).partition({256}), 0.3f, upload(x), upload(y))),
        expected);
  }
}

template <class T>
expectation silu_mul_reference(const std::vector<T>& gate, const std::vector<T>& up) {
  expectation expected;
  for (std::size_t i = 0; i < gate.size(); ++i) {
    const double g = to_f64(gate[i]);
    const double silu = g == -infinity ? -0.0 : g / (1.0 + std::exp(-g));
    const double value = silu * to_f64(up[i]);
    expected.add(value, 6.0 * f32_epsilon * std::abs(value) + store_rounding<T>(value) + 0x1p-126);
  }
  return expected;
}

TEST_P(Elementwise, SiluMulKeepsSixEpsilon) {
  for (const index_t columns : {index_t{1}, index_t{17}, index_t{300}}) {
    SCOPED_TRACE(columns);
    auto gate = random_matrix<f32>(3, columns);
    for (f32& value : gate.values) value *= 8.0f;
    const auto up = random_matrix<f32>(3, columns, 7);
    expect_within(output(kernels::silu_mul<f32, BM, BN>()(poisoned<f32>({3, columns}).partition({2, 64}), upload(gate),
                                                          upload(up))),
                  silu_mul_reference(gate.values, up.values));
  }
}

TEST_P(Elementwise, SiluMulNeitherOverflowsNorLosesSmallResults) {
  const auto inf = static_cast<f32>(infinity);
  const std::vector<f32> gate{-inf, -200.0f, -88.0f, -87.0f, -20.0f, 0.0f, 20.0f, 88.0f, 1e30f, inf};
  const std::vector<f32> up(gate.size(), 1.0f);
  expect_within(output(kernels::silu_mul<f32, BN>()(poisoned<f32>({10}).partition({8}), upload(gate), upload(up))),
                silu_mul_reference(gate, up));
}

TEST_P(Elementwise, SiluMulInBf16RoundsOnce) {
  const auto gate = random_vector<bf16>(77);
  const auto up = random_vector<bf16>(77, 7);
  expect_within(output(kernels::silu_mul<bf16, BN>()(poisoned<bf16>({77}).partition({32}), upload(gate), upload(up))),
                silu_mul_reference(gate, up));
}

}  // namespace
}  // namespace tilewright::test
