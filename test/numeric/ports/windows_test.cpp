// SPDX-License-Identifier: Apache-2.0
// Ports that load windows: convolution by shifted loads, pooling.
#include <algorithm>
#include <cmath>

#include "numeric/kernels/kernel_test.hpp"
#include "ports/convolution.hpp"

namespace tilewright::test {
namespace {

struct image_case {
  index_t count, height, width, taps_down, taps_right, channels, filters;
};

class ShiftedConvolution : public KernelTest {
 protected:
  // x as the kernels want it: rows of a whole number of strides, of which a part was not there. With a Margin of -1 it
  // is in x.
  template <int Stride, int Margin = -1>
  static void check(const image_case& shape) {
    SCOPED_TRACE(testing::Message() << shape.height << " x " << shape.width << ", taps " << shape.taps_down << " x "
                                    << shape.taps_right << ", stride " << Stride << ", margin " << Margin);
    constexpr index_t margin = std::max(Margin, 0);
    const index_t columns_in = (shape.width + Stride - 1) / Stride, width = columns_in * Stride;
    const auto x = random_matrix<f32>(shape.count * shape.height * width, shape.channels);
    const auto weights = random_matrix<f32>(shape.taps_down * shape.taps_right * shape.channels, shape.filters, 5);
    const index_t rows = (shape.height + 2 * margin - shape.taps_down) / Stride + 1;
    const index_t columns = (shape.width + 2 * margin - shape.taps_right) / Stride + 1;
    const auto run = [&](const auto& kernel) {
      return output(kernel.with(deny_residual, kernels::BK = 4)(
          poisoned<f32>({shape.count, rows, columns, shape.filters}).partition({1, 1, 4, 2}),
          upload(x.values, {shape.count, shape.height, columns_in, Stride, shape.channels}),
          upload(weights.values, {shape.taps_down, shape.taps_right, shape.channels, shape.filters})));
    };
    const auto z = [&] {
      if constexpr (Margin < 0) return run(ports::shifted_convolution<f32, Stride>);
      if constexpr (Margin >= 0) return run(ports::margined_convolution<f32, Stride, Margin>);
    }();
    expectation expected;
    for (index_t pixel = 0; pixel < shape.count * rows * columns; ++pixel) {
      const index_t image = pixel / columns / rows, row = pixel / columns % rows, column = pixel % columns;
      for (index_t f = 0; f < shape.filters; ++f) {
        double sum = 0.0, magnitude = 0.0;
        for (index_t tap = 0; tap < shape.taps_down * shape.taps_right; ++tap) {
          const index_t y = row * Stride + tap / shape.taps_right - margin;
          const index_t c = column * Stride + tap % shape.taps_right - margin;
          if (y < 0 || y >= shape.height || c < 0 || c >= width) continue;
          for (index_t k = 0; k < shape.channels; ++k) {
            const double term = to_f64(x.at((image * shape.height + y) * width + c, k)) *
                                to_f64(weights.at(tap * shape.channels + k, f));
            sum += term;
            magnitude += std::abs(term);
          }
        }
        const auto terms = static_cast<double>(shape.taps_down * shape.taps_right * shape.channels);
        expected.add(sum, epsilon<f32>() * terms * magnitude);  // eps (taps channels) sum |x w|
      }
    }
    expect_within(z, expected);
  }
};
TILEWRIGHT_ON_EACH_BACK_END(ShiftedConvolution);

TEST_P(ShiftedConvolution, MeetsEachPixelUnderItsTap) {
  for (const image_case& shape : {image_case{1, 1, 1, 1, 1, 1, 1},
                                  {2, 5, 7, 3, 3, 6, 5},
                                  {1, 6, 9, 2, 3, 4, 3},
                                  {2, 4, 4, 3, 1, 9, 2},
                                  {0, 4, 4, 2, 2, 3, 3},
                                  {1, 3, 12, 3, 5, 1, 4}}) {
    check<1>(shape);
    check<2>(shape);
    check<3>(shape);
  }
}

TEST_P(ShiftedConvolution, SeesZerosInFrontOfAnImageAndBehindIt) {
  for (const image_case& shape :
       {image_case{1, 1, 1, 1, 1, 1, 1}, {2, 5, 7, 3, 3, 6, 5}, {1, 6, 9, 2, 3, 4, 3}, {1, 2, 4, 5, 5, 5, 2}}) {
    if (shape.height >= shape.taps_down) check<1, 0>(shape);
    check<1, 2>(shape);
    check<2, 2>(shape);
    check<2, 3>(shape);
    check<3, 2>(shape);
  }
}

// All indices are proved or compared once per launch, and a launch whose windows would begin outside is refused.
TEST_P(ShiftedConvolution, ChecksNothingInTheKernelAndRefusesPixelsThatAreNotThere) {
  const auto kernel = ports::shifted_convolution<f32, 1>.with(deny_residual, kernels::BK = 4);
  const auto launch = [&](index_t rows, index_t columns) {
    return output(kernel(poisoned<f32>({1, rows, columns, 2}).partition({1, 1, 4, 2}),
                         upload(std::vector<f32>(60), {1, 5, 6, 1, 2}), upload(std::vector<f32>(36), {3, 3, 2, 2})));
  };
  EXPECT_EQ(launch(3, 4), std::vector<f32>(24, 0.0f));
  EXPECT_THROW((void)launch(4, 4), usage_error);
  EXPECT_THROW((void)launch(3, 9), usage_error);
}

class Pooling : public KernelTest {
 protected:
  template <int Size, int Stride>
  static void check(index_t height, index_t width, index_t channels, bool has_overhang) {
    const auto x = random_matrix<f32>(height * width, channels);
    const auto outputs = [&](index_t extent) {
      return has_overhang ? (extent + Stride - 1) / Stride : (extent - Size) / Stride + 1;
    };
    const index_t rows = outputs(height), columns = outputs(width);
    const auto z = output(ports::max_pool<f32, Size, Stride>(
        poisoned<f32>({rows, columns, channels}).partition({1, 1, 4}), upload(x.values, {height, width, channels})));
    for (index_t n = 0; n < rows * columns * channels; ++n) {
      f32 greatest = -std::numeric_limits<f32>::infinity();
      for (index_t tap = 0; tap < Size * Size; ++tap) {
        const index_t y = n / channels / columns * Stride + tap / Size;
        const index_t c = n / channels % columns * Stride + tap % Size;
        if (y < height && c < width) greatest = std::max(greatest, x.at(y * width + c, n % channels));
      }
      EXPECT_EQ(z[static_cast<std::size_t>(n)], greatest) << n;
    }
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Pooling);

TEST_P(Pooling, TakesTheGreatestOfEachWindow) {
  for (const bool has_overhang : {false, true}) {
    check<2, 2>(4, 6, 4, has_overhang);
    check<2, 2>(5, 3, 5, has_overhang);
    check<3, 1>(7, 4, 1, has_overhang);
    check<3, 2>(9, 8, 6, has_overhang);
    check<1, 3>(8, 1, 3, has_overhang);
  }
  check<4, 2>(1, 3, 2, true);
}

}  // namespace
}  // namespace tilewright::test
