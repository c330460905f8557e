// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/normalization.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

class Softmax : public KernelTest {
 protected:
  template <class T>
  static std::vector<T> run(const matrix<T>& x, Shape piece) {
    return output(kernels::softmax<T>()(poisoned<T>({x.rows, x.columns}).partition(piece), upload(x)));
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Softmax);

struct row_case {
  index_t rows, columns, block_rows, tile;
};
constexpr row_case row_cases[] = {{1, 1, 1, 1}, {3, 5, 2, 5}, {4, 64, 4, 64}, {5, 100, 2, 128}, {2, 1027, 1, 1027}};

TEST_P(Softmax, KeepsItsBoundOnEveryShape) {
  for (const row_case& shape : row_cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.columns << " tile " << shape.tile);
    auto x = random_matrix<f32>(shape.rows, shape.columns);
    for (f32& value : x.values) value *= 20.0f;
    expect_within(run(x, {shape.block_rows, shape.tile}), softmax_reference(x));
  }
}

TEST_P(Softmax, InNarrowTypesKeepsItsBound) {
  const auto halves = random_matrix<f16>(3, 77);
  expect_within(run(halves, {2, 77}), softmax_reference(halves));
  const auto brains = random_matrix<bf16>(3, 77);
  expect_within(run(brains, {2, 77}), softmax_reference(brains));
}

// The row of large numbers has spread and magnitude at once: what is subtracted must be exact.
TEST_P(Softmax, TakenTwiceKeepsItsBound) {
  const auto run_twice = [&]<class T>(const matrix<T>& x, Shape piece) {
    return output(kernels::softmax_twice<T>()(poisoned<T>({x.rows, x.columns}).partition(piece), upload(x)));
  };
  for (const row_case& shape : row_cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.columns << " tile " << shape.tile);
    auto x = random_matrix<f32>(shape.rows, shape.columns);
    for (f32& value : x.values) value *= 20.0f;
    expect_within(run_twice(x, {shape.block_rows, shape.tile}), softmax_reference(x));
  }
  auto halves = random_matrix<f16>(3, 77);
  for (f16& value : halves.values) value = from_f64<f16>(60000 + 100 * to_f64(value));
  expect_within(run_twice(halves, {2, 77}), softmax_reference(halves));
  matrix<bf16> nothing(2, 5, from_f64<bf16>(-infinity));
  nothing.at(1, 3) = from_f64<bf16>(2.0);
  expect_within(run_twice(nothing, {2, 8}), softmax_reference(nothing));
  auto odd = random_matrix<f32>(3, 9);
  odd.at(1, 4) = from_f64<f32>(not_a_number);
  odd.at(2, 0) = static_cast<f32>(infinity);
  expect_within(run_twice(odd, {3, 9}), softmax_reference(odd));
}

// KER-02
TEST_P(Softmax, Of4096EqualHalvesIsExact) {
  for (const f16 value : run(matrix<f16>(1, 4096, f16(3.0f)), {1, 4096})) ASSERT_EQ(to_f64(value), 0x1p-12);
}

// KER-06
TEST_P(Softmax, IgnoresLanesPastTheRow) {
  const std::vector<f32> among_infinities{0.0f, 1.0f, 2.0f, static_cast<f32>(infinity)};
  const auto result = output(kernels::softmax<f32>()(poisoned<f32>({1, 3}).partition({1, 4}),
                                                     upload(among_infinities, {1, 4}).slice(1, 0, 3)));
  EXPECT_NEAR(result[0], 0.09003057, 1e-7);
  EXPECT_NEAR(result[1], 0.24472847, 1e-7);
  EXPECT_NEAR(result[2], 0.66524096, 1e-7);
}

TEST_P(Softmax, OfARowOfMinusInfinityIsZero) {
  matrix<f32> x(2, 5, static_cast<f32>(-infinity));
  x.at(1, 3) = 2.0f;
  EXPECT_EQ(run(x, {2, 8}), (std::vector<f32>{0, 0, 0, 0, 0, 0, 0, 0, 1, 0}));
}

TEST_P(Softmax, SpreadsNanOverItsOwnRowOnly) {
  auto x = random_matrix<f32>(3, 9);
  x.at(1, 4) = from_f64<f32>(not_a_number);
  x.at(2, 0) = static_cast<f32>(infinity);
  expect_within(run(x, {3, 9}), softmax_reference(x));
}

// KER-07
TEST_P(Softmax, AcceptsExtentsOfZero) {
  EXPECT_TRUE(run(matrix<f32>(3, 0), {1, 1}).empty());
  EXPECT_TRUE(run(matrix<f32>(0, 7), {2, 7}).empty());
}

class Norm : public KernelTest {
 protected:
  template <class T>
  static std::vector<T> rms(const matrix<T>& x, const std::vector<T>& weight, f32 epsilon, Shape piece) {
    return output(
        kernels::rms_norm<T>()(poisoned<T>({x.rows, x.columns}).partition(piece), upload(x), upload(weight), epsilon));
  }
  template <class T>
  static std::vector<T> layer(const matrix<T>& x, const std::vector<T>& weight, const std::vector<T>& bias, f32 epsilon,
                              Shape piece) {
    return output(kernels::layer_norm<T>()(poisoned<T>({x.rows, x.columns}).partition(piece), upload(x), upload(weight),
                                           upload(bias), epsilon));
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Norm);

template <class T>
std::vector<T> row_of(index_t columns, unsigned seed) {
  return random_matrix<T>(1, columns, seed).values;
}

TEST_P(Norm, RmsKeepsItsBoundOnEveryShape) {
  for (const row_case& shape : row_cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.columns << " tile " << shape.tile);
    const auto x = random_matrix<f32>(shape.rows, shape.columns);
    const auto weight = row_of<f32>(shape.columns, 7);
    expect_within(rms(x, weight, 1e-5f, {shape.block_rows, shape.tile}), rms_norm_reference(x, weight, 1e-5f));
  }
}

TEST_P(Norm, LayerKeepsItsBoundOnEveryShape) {
  for (const row_case& shape : row_cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.columns << " tile " << shape.tile);
    const auto x = random_matrix<f32>(shape.rows, shape.columns);
    const auto weight = row_of<f32>(shape.columns, 7);
    const auto bias = row_of<f32>(shape.columns, 9);
    expect_within(layer(x, weight, bias, 1e-5f, {shape.block_rows, shape.tile}),
                  layer_norm_reference(x, weight, bias, 1e-5f));
  }
}

TEST_P(Norm, LayerDoesNotCancelFarFromZero) {
  auto x = random_matrix<f32>(2, 100);
  for (f32& value : x.values) value += 1000.0f;
  const std::vector<f32> weight(100, 1.0f);
  const std::vector<f32> bias(100, 0.0f);
  expect_within(layer(x, weight, bias, 1e-5f, {1, 128}), layer_norm_reference(x, weight, bias, 1e-5f));
}

TEST_P(Norm, InNarrowTypesKeepsItsBound) {
  const auto x = random_matrix<f16>(3, 130);
  const auto weight = row_of<f16>(130, 7);
  expect_within(rms(x, weight, 1e-5f, {2, 130}), rms_norm_reference(x, weight, 1e-5f));
  const auto y = random_matrix<bf16>(3, 130);
  const auto scale = row_of<bf16>(130, 7);
  expect_within(layer(y, scale, scale, 1e-5f, {2, 130}), layer_norm_reference(y, scale, scale, 1e-5f));
}

// KER-02: 1024 squares of 100 pass the range of f16.
TEST_P(Norm, RmsOfHalvesDoesNotOverflow) {
  const matrix<f16> x(1, 1024, f16(100.0f));
  const std::vector<f16> weight(1024, f16(1.0f));
  for (const f16 value : rms(x, weight, 0.0f, {1, 1024})) ASSERT_EQ(to_f64(value), 1.0);
}

TEST_P(Norm, OfAZeroRowIsZero) {
  const std::vector<f32> weight(6, 1.0f);
  EXPECT_EQ(rms(matrix<f32>(1, 6), weight, 1e-5f, {1, 6}), std::vector<f32>(6, 0.0f));
  EXPECT_EQ(layer(matrix<f32>(1, 6, 3.0f), weight, std::vector<f32>(6, 0.5f), 1e-5f, {1, 8}),
            std::vector<f32>(6, 0.5f));
}

TEST_P(Norm, SpreadsNanOverItsOwnRowOnly) {
  auto x = random_matrix<f32>(3, 9);
  x.at(1, 4) = from_f64<f32>(not_a_number);
  const auto weight = row_of<f32>(9, 7);
  expect_within(rms(x, weight, 1e-5f, {3, 9}), rms_norm_reference(x, weight, 1e-5f));
  expect_within(layer(x, weight, weight, 1e-5f, {2, 16}), layer_norm_reference(x, weight, weight, 1e-5f));
}

// KER-07
TEST_P(Norm, AcceptsExtentsOfZero) {
  EXPECT_TRUE(rms(matrix<f32>(3, 0), {}, 1e-5f, {1, 1}).empty());
  EXPECT_TRUE(rms(matrix<f32>(0, 7), std::vector<f32>(7), 1e-5f, {2, 7}).empty());
  EXPECT_TRUE(layer(matrix<f32>(3, 0), {}, {}, 1e-5f, {1, 1}).empty());
  EXPECT_TRUE(layer(matrix<f32>(0, 7), std::vector<f32>(7), std::vector<f32>(7), 1e-5f, {2, 7}).empty());
}

}  // namespace
}  // namespace tilewright::test
