// SPDX-License-Identifier: Apache-2.0
#include "ports/scaled_products.hpp"

#include <cmath>

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

// |error| <= eps (K + 2 blocks) sum |x y| of the scaled values, and the rounding of the result.
template <class Z, class Left, class Right>
expectation scaled_reference(index_t rows, index_t columns, index_t depth, index_t blocks, const Left& x,
                             const Right& y) {
  expectation expected;
  for (index_t i = 0; i < rows; ++i) {
    for (index_t j = 0; j < columns; ++j) {
      double sum = 0.0, magnitude = 0.0;
      for (index_t k = 0; k < depth; ++k) {
        const double term = x(i, k) * y(j, k);
        sum += term;
        magnitude += std::abs(term);
      }
      expected.add(sum, f32_epsilon * static_cast<double>(depth + 2 * blocks) * magnitude + store_rounding<Z>(sum));
    }
  }
  return expected;
}

// Powers of two around 1 where Scale has nothing else, some negative where it can be.
template <class Scale>
matrix<Scale> random_scales(index_t rows, index_t columns, unsigned seed) {
  const auto numbers = random_matrix<f32>(rows, columns, seed);
  matrix<Scale> made(rows, columns);
  for (std::size_t i = 0; i < numbers.values.size(); ++i) made.values[i] = Scale(numbers.values[i] * 8.0f);
  return made;
}

double element(const matrix<f8e4m3>& from, index_t row, index_t k) { return to_f64(from.at(row, k)); }
double element(const matrix<u8>& from, index_t row, index_t k) {
  constexpr double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const int code = from.at(row, k / 2) >> 4 * (k % 2) & 15;
  return code < 8 ? magnitudes[code] : -magnitudes[code - 8];
}

// 8-bit floats, or bytes of every pair of 4-bit ones.
template <class Stored>
matrix<Stored> random_elements(index_t rows, index_t depth, unsigned seed) {
  if constexpr (std::is_same_v<Stored, u8>) {
    matrix<u8> made(rows, (depth + 1) / 2);
    for (std::size_t i = 0; i < made.values.size(); ++i) made.values[i] = static_cast<u8>(i * 37 + 11 * seed);
    return made;
  } else {
    return random_matrix<Stored>(rows, depth, seed);
  }
}

struct product_case {
  index_t rows, columns, depth;
};
// Depths that end inside of a block and inside of a step, at their ends, and nowhere.
constexpr product_case product_cases[] = {{1, 1, 2}, {9, 20, 90}, {16, 16, 256}, {5, 3, 0}};

class ScaledProducts : public KernelTest {
 protected:
  // A matrix unit takes the magnitude of a scale, f32 the scale itself.
  template <class Stored, class Scale, class Z, class Kernel>
  void expect_products(const Kernel& kernel, index_t block_depth) {
    for (const auto& [rows, columns, depth] : product_cases) {
      SCOPED_TRACE(testing::Message() << rows << " by " << depth << " by " << columns);
      const index_t blocks = (depth + block_depth - 1) / block_depth;
      const auto x = random_elements<Stored>(rows, depth, 1), y = random_elements<Stored>(columns, depth, 5);
      const auto x_scales = random_scales<Scale>(rows, blocks, 7), y_scales = random_scales<Scale>(columns, blocks, 9);
      const auto z = output(kernel(poisoned<Z>({rows, columns}).partition({8, 16}), upload(x), upload(x_scales),
                                   upload(y), upload(y_scales)));
      const auto scaled = [&](const matrix<Stored>& elements, const matrix<Scale>& scales) {
        return [&, block_depth](index_t row, index_t k) {
          const double scale = to_f64(scales.at(row, k / block_depth));
          return element(elements, row, k) * (std::is_same_v<Scale, f32> ? scale : std::abs(scale));
        };
      };
      expect_within(z, scaled_reference<Z>(rows, columns, depth, blocks, scaled(x, x_scales), scaled(y, y_scales)));
    }
  }
};
TILEWRIGHT_ON_EACH_BACK_END(ScaledProducts);

TEST_P(ScaledProducts, OfEachFormatAreSummedInSinglePrecision) {
  expect_products<f8e4m3, f8e8m0, f32>(ports::scaled_product<ports::mxfp8, f32>.with(kernels::BG = 2), 32);
  expect_products<u8, f8e8m0, bf16>(ports::scaled_product<ports::mxfp4, bf16>.with(kernels::BG = 2), 32);
  expect_products<u8, f8e4m3, f32>(ports::scaled_product<ports::nvfp4, f32>.with(kernels::BG = 4), 16);
}

TEST_P(ScaledProducts, ByScalesInSinglePrecisionAreScaledBlockByBlock) {
  expect_products<f8e4m3, f32, f32>(ports::block_scaled_product<f8e4m3, f32>.with(kernels::BK = 32), 32);
}

// All indices are proved or compared once per launch, and a launch with scales for another depth is refused.
TEST_P(ScaledProducts, CheckNothingInTheKernelAndRefuseScalesOfAnotherDepth) {
  const auto launch = [&](index_t blocks) {
    return output(ports::scaled_product<ports::nvfp4, f32>.with(deny_residual, kernels::BG = 2)(
        poisoned<f32>({4, 4}).partition({4, 4}), upload(matrix<u8>(4, 20)), upload(matrix<f8e4m3>(4, blocks)),
        upload(matrix<u8>(4, 20)), upload(matrix<f8e4m3>(4, blocks))));
  };
  EXPECT_EQ(launch(3), std::vector<f32>(16, 0.0f));
  EXPECT_THROW((void)launch(2), usage_error);
  EXPECT_THROW((void)launch(4), usage_error);
}

}  // namespace
}  // namespace tilewright::test
