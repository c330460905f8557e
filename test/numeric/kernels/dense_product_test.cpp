// SPDX-License-Identifier: Apache-2.0
// Products with dense weights in the forms that one decode step takes: each against f64, with the roundings that its
// inputs have had.
#include "tilewright/kernels/dense_product.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

using kernels::BK;
using kernels::BN;
using kernels::PIECES;

constexpr float offset = 1e-6F;

struct product_case {
  index_t rows, depth, columns;
};
// Whole tiles, tiles that overhang on each axis, fewer columns than a tile.
constexpr product_case cases[] = {{1, 64, 64}, {1, 100, 96}, {3, 72, 160}, {9, 256, 32}};

class DenseProduct : public KernelTest {
 protected:
  // Inputs of a product behind a norm: rows in bf16, and sums of squares that they have nothing to do with.
  struct inputs {
    matrix<bf16> x, weights;
    matrix<f32> squares;
    double scale(index_t row) const {
      double sum = 0;
      for (index_t i = 0; i < squares.columns; ++i) sum += to_f64(squares.at(row, i));
      return 1 / std::sqrt(sum / static_cast<double>(x.columns) + static_cast<double>(offset));
    }
  };
  static inputs make(const product_case& shape, index_t weight_rows) {
    inputs made{random_matrix<bf16>(shape.rows, shape.depth), random_matrix<bf16>(weight_rows, shape.depth, 7),
                random_matrix<f32>(shape.rows, 5, 11)};
    for (f32& value : made.squares.values) value = std::abs(value) + 1.0F;
    return made;
  }

  // Row `row` of x times row `column` of the weights, and the sum of magnitudes.
  struct dot {
    double value = 0, magnitude = 0;
  };
  static dot dot_of(const matrix<bf16>& x, index_t row, const matrix<bf16>& weights, index_t column) {
    dot sum;
    for (index_t k = 0; k < x.columns; ++k) {
      const double term = to_f64(x.at(row, k)) * to_f64(weights.at(column, k));
      sum.value += term;
      sum.magnitude += std::abs(term);
    }
    return sum;
  }
  // |error| <= eps (K + pieces + 8) scale sum |x w|
  static double allowed(const inputs& in, index_t row, const dot& sum) {
    return f32_epsilon * static_cast<double>(in.x.columns + in.squares.columns + 8) * in.scale(row) * sum.magnitude;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(DenseProduct);

TEST_P(DenseProduct, AloneKeepsItsBound) {
  for (const product_case& shape : cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.depth << " x " << shape.columns);
    const auto x = random_matrix<bf16>(shape.rows, shape.depth);
    const auto weights = random_matrix<bf16>(shape.columns, shape.depth, 7);
    expectation wide, narrow;
    for (index_t row = 0; row < shape.rows; ++row) {
      for (index_t column = 0; column < shape.columns; ++column) {
        const dot sum = dot_of(x, row, weights, column);
        const double lost = f32_epsilon * static_cast<double>(shape.depth) * sum.magnitude;
        wide.add(sum.value, lost);
        narrow.add(sum.value, lost + store_rounding<bf16>(sum.value));
      }
    }
    expect_within(output(kernels::dense<bf16, f32>().with(BK = 32)(
                      poisoned<f32>({shape.rows, shape.columns}).partition({8, 64}), upload(x), upload(weights))),
                  wide);
    expect_within(output(kernels::dense_row<bf16>().with(BK = 64)(
                      poisoned<bf16>({shape.rows, shape.columns}).partition({1, 4}), upload(x), upload(weights))),
                  narrow);
  }
}

TEST_P(DenseProduct, BehindANormKeepsItsBound) {
  for (const product_case& shape : cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.depth << " x " << shape.columns);
    const inputs in = make(shape, shape.columns);
    expectation expected;
    for (index_t row = 0; row < shape.rows; ++row) {
      for (index_t column = 0; column < shape.columns; ++column) {
        const dot sum = dot_of(in.x, row, in.weights, column);
        expected.add(sum.value * in.scale(row), allowed(in, row, sum));
      }
    }
    const auto z = [&] { return poisoned<f32>({shape.rows, shape.columns}); };
    expect_within(output(kernels::dense_norm<bf16, f32>().with(BK = 32, PIECES = 8)(
                      z().partition({8, 64}), upload(in.x), upload(in.squares), offset, upload(in.weights))),
                  expected);
    expect_within(output(kernels::dense_norm_row<bf16, f32>().with(BK = 64, PIECES = 8)(
                      z().partition({1, 4}), upload(in.x), upload(in.squares), offset, upload(in.weights))),
                  expected);
  }
}

// silu has slope 1.1 at most, so that the gate's error reaches the result by 1.1 |up|.
TEST_P(DenseProduct, GatedKeepsItsBound) {
  for (const product_case& shape : cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.depth << " x " << shape.columns);
    const inputs in = make(shape, 2 * shape.columns);
    expectation expected;
    for (index_t row = 0; row < shape.rows; ++row) {
      for (index_t column = 0; column < shape.columns; ++column) {
        const index_t first = column / kernels::gate_rows * 2 * kernels::gate_rows + column % kernels::gate_rows;
        const dot gate = dot_of(in.x, row, in.weights, first);
        const dot up = dot_of(in.x, row, in.weights, first + kernels::gate_rows);
        const double g = gate.value * in.scale(row), u = up.value * in.scale(row);
        const double silu = g / (1 + std::exp(-g));
        const double lost = 1.1 * allowed(in, row, gate) * std::abs(u) + allowed(in, row, up) * std::abs(silu);
        expected.add(silu * u, lost + 8 * f32_epsilon * std::abs(silu * u) + store_rounding<bf16>(silu * u));
      }
    }
    const Shape units{shape.columns / kernels::gate_rows, 2, kernels::gate_rows, shape.depth};
    expect_within(output(kernels::dense_norm_silu_mul<bf16>().with(BK = 32, PIECES = 8)(
                      poisoned<bf16>({shape.rows, shape.columns}).partition({8, kernels::gate_rows}), upload(in.x),
                      upload(in.squares), offset, upload(in.weights))),
                  expected);
    expect_within(output(kernels::dense_norm_silu_mul_row<bf16>().with(BK = 64, PIECES = 8)(
                      poisoned<bf16>({shape.rows, units[0], kernels::gate_rows}).partition({1, 1, 4}), upload(in.x),
                      upload(in.squares), offset, upload(in.weights.values, units))),
                  expected);
  }
}

// What a prepared row must hold: the row itself, the row times the norm, sums of squares of its pieces.
struct prepared {
  expectation stream, scaled, squares;
  void add_row(const std::vector<double>& values, const std::vector<double>& bounds, const std::vector<f32>& norm,
               index_t piece) {
    double sum = 0, lost = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double weight = to_f64(norm[i]), product = values[i] * weight;
      stream.add(values[i], bounds[i]);
      scaled.add(product,
                 (bounds[i] + f32_epsilon * std::abs(values[i])) * std::abs(weight) + store_rounding<bf16>(product));
      sum += values[i] * values[i];
      lost += 2 * std::abs(values[i]) * bounds[i] + bounds[i] * bounds[i];
      if ((i + 1) % static_cast<std::size_t>(piece) != 0 && i + 1 < values.size()) continue;
      squares.add(sum, lost + f32_epsilon * static_cast<double>(piece) * sum);
      sum = lost = 0;
    }
  }
};
template <class Given>
void expect_prepared(const Given& given, const prepared& expected) {
  expect_within(std::get<0>(given).to_host(), expected.stream);
  expect_within(std::get<1>(given).to_host(), expected.scaled);
  expect_within(std::get<2>(given).to_host(), expected.squares);
}

TEST_P(DenseProduct, AddedToTheStreamIsPreparedForTheNextNorm) {
  for (const product_case& shape : cases) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.depth << " x " << shape.columns);
    const inputs in = make(shape, shape.columns);
    const auto residual = random_matrix<f32>(shape.rows, shape.columns, 13);
    const auto norm = random_matrix<f32>(1, shape.columns, 17).values;
    prepared wide, narrow;
    for (index_t row = 0; row < shape.rows; ++row) {
      std::vector<double> values, bounds;
      for (index_t column = 0; column < shape.columns; ++column) {
        const dot sum = dot_of(in.x, row, in.weights, column);
        values.push_back(to_f64(residual.at(row, column)) + sum.value);
        bounds.push_back(f32_epsilon * static_cast<double>(shape.depth) * sum.magnitude +
                         f32_epsilon * std::abs(values.back()));
      }
      wide.add_row(values, bounds, norm, 64);
      narrow.add_row(values, bounds, norm, 4);
    }
    const auto run = [&](const auto& kernel, const Shape& piece) {
      const index_t pieces = (shape.columns + piece[1] - 1) / piece[1];
      return kernel(poisoned<f32>({shape.rows, shape.columns}).partition(piece),
                    poisoned<bf16>({shape.rows, shape.columns}).partition(piece),
                    poisoned<f32>({shape.rows, pieces}).partition({piece[0], 1}), upload(residual), upload(in.x),
                    upload(in.weights), upload(norm))
          .sync();
    };
    expect_prepared(run(kernels::dense_add<bf16>().with(BK = 32), {8, 64}), wide);
    expect_prepared(run(kernels::dense_add_row<bf16>().with(BK = 64), {1, 4}), narrow);
  }
}

TEST_P(DenseProduct, ChosenRowsOfATableArePrepared) {
  const auto table = random_matrix<bf16>(7, 48);
  const auto norm = random_matrix<f32>(1, 48, 17).values;
  prepared expected;
  for (const index_t row : {6, 0, 6}) {
    std::vector<double> values;
    for (index_t column = 0; column < 48; ++column) values.push_back(to_f64(table.at(row, column)));
    expected.add_row(values, std::vector<double>(48, 0.0), norm, 16);
  }
  expect_prepared(kernels::embedding_prepared<bf16>()(poisoned<f32>({3, 48}).partition({1, 16}),
                                                      poisoned<bf16>({3, 48}).partition({1, 16}),
                                                      poisoned<f32>({3, 3}).partition({1, 1}), upload(table),
                                                      upload(std::vector<i64>{6, -3, 900}), upload(norm))
                      .sync(),
                  expected);
}

TEST_P(DenseProduct, RefusesShapesThatDoNotFit) {
  const inputs in = make({1, 64, 64}, 64);
  const auto launch = [&](index_t columns, index_t pieces) {
    (void)kernels::dense_norm_row<bf16, f32>()
        .with(BK = 64, PIECES = 4)(poisoned<f32>({1, columns}).partition({1, 4}), upload(in.x),
                                   upload(random_matrix<f32>(1, pieces)), offset, upload(in.weights))
        .sync();
  };
  launch(64, 4);
  EXPECT_THROW(launch(60, 4), usage_error);
  EXPECT_THROW(launch(64, 5), usage_error);  // more pieces than the kernel adds
}

}  // namespace
}  // namespace tilewright::test
