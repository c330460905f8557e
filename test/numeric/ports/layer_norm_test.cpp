// SPDX-License-Identifier: Apache-2.0
#include "ports/layer_norm.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

struct norm_case {
  index_t rows, columns, block_rows, tile;
};
constexpr norm_case norm_cases[] = {{1, 1, 1, 1}, {3, 5, 2, 8}, {5, 100, 2, 128}, {9, 64, 4, 64}};

struct row_moments {
  double mean, scale;
};
template <class T>
row_moments moments_of(const matrix<T>& x, index_t row, double offset) {
  const auto count = static_cast<double>(x.columns);
  double sum = 0.0, squares = 0.0;
  for (index_t j = 0; j < x.columns; ++j) sum += to_f64(x.at(row, j));
  for (index_t j = 0; j < x.columns; ++j) squares += std::pow(to_f64(x.at(row, j)) - sum / count, 2);
  return {sum / count, 1.0 / std::sqrt(squares / count + offset)};
}

class LayerNormPort : public KernelTest {
 protected:
  static constexpr f32 offset = 1e-2f;

  // As the forward kernel gives them.
  struct saved {
    std::vector<f32> z, mean, scale;
  };
  static saved forward(const matrix<f32>& x, const std::vector<f32>& weight, const std::vector<f32>& bias,
                       Shape piece) {
    auto made = ports::layer_norm_saved<f32>(poisoned<f32>({x.rows, x.columns}).partition(piece),
                                             poisoned<f32>({x.rows, 1}).partition({piece[0], 1}),
                                             poisoned<f32>({x.rows, 1}).partition({piece[0], 1}), upload(x),
                                             upload(weight), upload(bias), offset)
                    .sync();
    return {std::get<0>(made).to_host(), std::get<1>(made).to_host(), std::get<2>(made).to_host()};
  }
};
TILEWRIGHT_ON_EACH_BACK_END(LayerNormPort);

TEST_P(LayerNormPort, SavesMeanAndScale) {
  for (const auto& [rows, columns, block_rows, tile] : norm_cases) {
    const auto x = random_matrix<f32>(rows, columns);
    const auto weight = random_matrix<f32>(1, columns, 7).values, bias = random_matrix<f32>(1, columns, 9).values;
    const saved made = forward(x, weight, bias, {block_rows, tile});
    expect_within(made.z, layer_norm_reference(x, weight, bias, offset));
    expectation mean, scale;
    const double lost = (static_cast<double>(columns) + 8) * f32_epsilon;
    for (index_t i = 0; i < rows; ++i) {
      const row_moments exact = moments_of(x, i, offset);
      mean.add(exact.mean, lost);
      scale.add(exact.scale, lost * exact.scale * (1 + exact.scale * exact.scale));
    }
    expect_within(made.mean, mean);
    expect_within(made.scale, scale);
  }
}

// |error| <= eps (columns + 16) scale^2 (|w dz| + |normal| mean |normal w dz| + mean |w dz|): normal itself is off by
// eps (columns + 8) times scale.
TEST_P(LayerNormPort, GivesTheGradientOfTheInput) {
  for (const auto& [rows, columns, block_rows, tile] : norm_cases) {
    const auto x = random_matrix<f32>(rows, columns), dz = random_matrix<f32>(rows, columns, 5);
    const auto weight = random_matrix<f32>(1, columns, 7).values;
    const saved made = forward(x, weight, weight, {block_rows, tile});
    const auto dx = output(ports::layer_norm_backward<f32>(
        poisoned<f32>({rows, columns}).partition({block_rows, tile}), upload(dz), upload(x), upload(weight),
        upload(made.mean, {rows, 1}), upload(made.scale, {rows, 1})));
    expectation expected;
    const auto count = static_cast<double>(columns);
    for (index_t i = 0; i < rows; ++i) {
      const auto [mean, scale] = moments_of(x, i, offset);
      double along = 0.0, level = 0.0, reach_along = 0.0, reach_level = 0.0;
      const auto normal = [&, m = mean, s = scale](index_t j) { return (x.at(i, j) - m) * s; };
      const auto weighted = [&](index_t j) { return to_f64(dz.at(i, j)) * weight[static_cast<std::size_t>(j)]; };
      for (index_t j = 0; j < columns; ++j) {
        along += normal(j) * weighted(j) / count;
        level += weighted(j) / count;
        reach_along += std::abs(normal(j) * weighted(j)) / count;
        reach_level += std::abs(weighted(j)) / count;
      }
      for (index_t j = 0; j < columns; ++j) {
        const double value = (weighted(j) - (normal(j) * along + level)) * scale;
        const double reach = std::abs(weighted(j)) + (1 + std::abs(normal(j))) * (reach_along + reach_level);
        expected.add(value, f32_epsilon * (count + 16) * scale * (1 + scale * scale) * reach);
      }
    }
    expect_within(dx, expected);
  }
}

// |error| <= eps (rows + columns + 16) sum |dz| (|normal| + scale (1 + scale^2)), on top of 0.5 that was there.
TEST_P(LayerNormPort, AddsTheGradientsOfTheWeights) {
  for (const auto& [rows, columns, block_rows, tile] : norm_cases) {
    const auto x = random_matrix<f32>(rows, columns), dz = random_matrix<f32>(rows, columns, 5);
    const std::vector<f32> ones(static_cast<std::size_t>(columns), 1.0f);
    const saved made = forward(x, ones, ones, {block_rows, tile});
    auto dw = device().full<f32>({columns}, 0.5f), db = device().full<f32>({columns}, 0.5f);
    const index_t sharing = (rows + 3) / 4;
    ports::layer_norm_weights<f32>
        .with(kernels::BM = 4)(
            dw.partition({16}, shared_by(sharing)), db.partition({16}, shared_by(sharing)), upload(dz), upload(x),
            upload(made.mean, {rows, 1}), upload(made.scale, {rows, 1}))
        .sync();
    expectation of_weight, of_bias;
    for (index_t j = 0; j < columns; ++j) {
      double weight = 0.5, bias = 0.5, reach = 1.0;
      for (index_t i = 0; i < rows; ++i) {
        const auto [mean, scale] = moments_of(x, i, offset);
        const double gradient = to_f64(dz.at(i, j)), normal = (x.at(i, j) - mean) * scale;
        weight += gradient * normal;
        bias += gradient;
        reach += std::abs(gradient) * (1 + std::abs(normal) + scale * (1 + scale * scale));
      }
      const double lost = f32_epsilon * static_cast<double>(rows + columns + 16) * reach;
      of_weight.add(weight, lost);
      of_bias.add(bias, lost);
    }
    expect_within(dw.to_host(), of_weight);
    expect_within(db.to_host(), of_bias);
  }
}

TEST_P(LayerNormPort, AddsTheResidualBeforeRmsNorm) {
  for (const auto& [rows, columns, block_rows, tile] : norm_cases) {
    const auto x = random_matrix<f16>(rows, columns), residual = random_matrix<f16>(rows, columns, 5);
    const auto weight = random_matrix<f16>(1, columns, 7).values;
    auto made = ports::add_rms_norm<f16>(poisoned<f16>({rows, columns}).partition({block_rows, tile}),
                                         poisoned<f16>({rows, columns}).partition({block_rows, tile}), upload(x),
                                         upload(residual), upload(weight), offset)
                    .sync();
    matrix<f32> sum(rows, columns);  // of two halves below 2: exact
    for (std::size_t i = 0; i < sum.values.size(); ++i) {
      sum.values[i] = static_cast<f32>(x.values[i]) + static_cast<f32>(residual.values[i]);
    }
    std::vector<f32> wide;
    for (const f16 value : weight) wide.push_back(static_cast<f32>(value));
    auto expected = rms_norm_reference(sum, wide, offset);
    for (std::size_t i = 0; i < expected.bound.size(); ++i) {
      expected.bound[i] += store_rounding<f16>(expected.reference[i]);
    }
    expect_within(std::get<0>(made).to_host(), expected);
    const auto stored = std::get<1>(made).to_host();
    for (std::size_t i = 0; i < stored.size(); ++i) ASSERT_EQ(to_f64(stored[i]), to_f64(f16(sum.values[i]))) << i;
  }
}

}  // namespace
}  // namespace tilewright::test
