// SPDX-License-Identifier: Apache-2.0
#include "ports/scans.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "ports/convolution.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

class Scans : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(Scans);

// |error| <= eps (times + STATE + 8) of the same sums of magnitudes: each step multiplies by at most e^0.
TEST_P(Scans, SelectiveScanRemembersWhatItSaw) {
  constexpr index_t states = 4;
  for (const auto& [times, channels] : {std::pair<index_t, index_t>{1, 1}, {9, 5}, {50, 19}}) {
    const auto x = random_matrix<f32>(times, channels), in = random_matrix<f32>(times, states, 3);
    const auto out = random_matrix<f32>(times, states, 5), skip = random_matrix<f32>(1, channels, 7);
    auto step = random_matrix<f32>(times, channels, 9), a = random_matrix<f32>(channels, states, 11);
    for (f32& value : step.values) value = 0.55f + 0.5f * value;  // above 0, as softplus gives them
    for (f32& value : a.values) value = -1.1f - value;
    const auto z = output(ports::selective_scan(poisoned<f32>({times, channels}).partition({whole_axis, 8}), upload(x),
                                                upload(step), upload(a), upload(in), upload(out), upload(skip.values)));
    expectation expected;
    matrix<double> state(channels, states), reach(channels, states);
    for (index_t t = 0; t < times; ++t) {
      for (index_t c = 0; c < channels; ++c) {
        double sum = to_f64(skip.at(0, c)) * x.at(t, c), magnitude = std::abs(sum);
        for (index_t s = 0; s < states; ++s) {
          const double decay = std::exp(to_f64(step.at(t, c)) * a.at(c, s));
          const double more = to_f64(step.at(t, c)) * x.at(t, c) * in.at(t, s);
          state.at(c, s) = decay * state.at(c, s) + more;
          reach.at(c, s) = decay * reach.at(c, s) + std::abs(more);
          sum += state.at(c, s) * out.at(t, s);
          magnitude += reach.at(c, s) * std::abs(out.at(t, s));
        }
        expected.add(sum, f32_epsilon * static_cast<double>(times + states + 8) * magnitude);
      }
    }
    expect_within(z, expected);
  }
}

TEST_P(Scans, HadamardMixesWholeRows) {
  const auto check = [&]<int columns>() {
    const auto x = random_matrix<f32>(5, columns);
    const auto z =
        output(ports::hadamard<f32, columns>(poisoned<f32>({5, columns}).partition({2, columns}), upload(x), 0.5f));
    expectation expected;
    for (index_t i = 0; i < 5; ++i) {
      for (index_t j = 0; j < columns; ++j) {
        double sum = 0.0, magnitude = 0.0;
        for (index_t k = 0; k < columns; ++k) {
          sum += to_f64(x.at(i, k)) * (__builtin_popcountll(static_cast<unsigned long long>(j & k)) % 2 == 0 ? 1 : -1);
          magnitude += std::abs(to_f64(x.at(i, k)));
        }
        expected.add(0.5 * sum, f32_epsilon * 8 * magnitude);  // log2 columns roundings, 6 at most here
      }
    }
    expect_within(z, expected);
  };
  check.template operator()<1>();
  check.template operator()<2>();
  check.template operator()<64>();
}

struct image_case {
  index_t count, height, width, taps_down, taps_right, stride, margin;
};

class Convolution : public KernelTest {
 protected:
  static constexpr index_t channels = 8, filters = 5;

  static i32 outputs(index_t extent, index_t taps, const image_case& shape) {
    return static_cast<i32>((extent + 2 * shape.margin - taps) / shape.stride + 1);
  }
  static std::vector<f32> run(const image_case& shape, const matrix<f32>& x, const matrix<f32>& weights) {
    const i32 rows = outputs(shape.height, shape.taps_down, shape);
    const i32 columns = outputs(shape.width, shape.taps_right, shape);
    return output(ports::convolution<f32>.with(kernels::BK = 4)(
        poisoned<f32>({shape.count * rows * columns, filters}).partition({8, 4}), upload(x),
        upload(weights.values, {shape.taps_down, shape.taps_right, channels, filters}), static_cast<i32>(shape.height),
        static_cast<i32>(shape.width), rows, columns, static_cast<i32>(shape.stride), static_cast<i32>(shape.margin)));
  }
  // eps (taps channels) sum |x w|
  static expectation reference(const image_case& shape, const matrix<f32>& x, const matrix<f32>& weights) {
    expectation expected;
    const index_t columns = outputs(shape.width, shape.taps_right, shape);
    const index_t pixels = outputs(shape.height, shape.taps_down, shape) * columns;
    for (index_t pixel = 0; pixel < shape.count * pixels; ++pixel) {
      const index_t top = pixel % pixels / columns * shape.stride - shape.margin;
      const index_t left = pixel % columns * shape.stride - shape.margin;
      for (index_t f = 0; f < filters; ++f) {
        double sum = 0.0, magnitude = 0.0;
        for (index_t tap = 0; tap < shape.taps_down * shape.taps_right; ++tap) {
          const index_t y = top + tap / shape.taps_right, c = left + tap % shape.taps_right;
          if (y < 0 || y >= shape.height || c < 0 || c >= shape.width) continue;
          for (index_t k = 0; k < channels; ++k) {
            const double term = to_f64(x.at((pixel / pixels * shape.height + y) * shape.width + c, k)) *
                                to_f64(weights.at(tap * channels + k, f));
            sum += term;
            magnitude += std::abs(term);
          }
        }
        const auto terms = static_cast<double>(shape.taps_down * shape.taps_right * channels);
        expected.add(sum, f32_epsilon * terms * magnitude);
      }
    }
    return expected;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Convolution);

TEST_P(Convolution, MeetsEachPixelUnderItsTap) {
  for (const image_case& shape :
       {image_case{1, 1, 1, 1, 1, 1, 0}, {2, 5, 7, 3, 3, 1, 1}, {1, 6, 5, 2, 3, 2, 0}, {2, 4, 4, 3, 1, 1, 2}}) {
    SCOPED_TRACE(testing::Message() << shape.height << " x " << shape.width << ", taps " << shape.taps_down << " x "
                                    << shape.taps_right);
    const auto x = random_matrix<f32>(shape.count * shape.height * shape.width, channels);
    const auto weights = random_matrix<f32>(shape.taps_down * shape.taps_right * channels, filters, 5);
    expect_within(run(shape, x, weights), reference(shape, x, weights));
  }
}

TEST_P(Convolution, RefusesChannelsThatItsStepDoesNotDivide) {
  EXPECT_THROW((void)output(ports::convolution<f32>.with(kernels::BK = 4)(
                   poisoned<f32>({1, 4}).partition({8, 4}), upload(random_matrix<f32>(1, 6)),
                   upload(std::vector<f32>(24), {1, 1, 6, 4}), 1, 1, 1, 1, 1, 0)),
               compile_error);
}

}  // namespace
}  // namespace tilewright::test
