// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/quantized_product.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/quantized.hpp"

namespace tilewright::test {
namespace {

using kernels::BG;
using kernels::BK;

// GGUF blocks of a matrix with quants and f16 headers from a seed; headers around 0.1.
std::vector<std::byte> random_blocks(std::size_t blocks, std::size_t block_bytes, std::size_t headers, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::byte> bytes(blocks * block_bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(engine() & 0xffU);
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t header = 0; header < headers; ++header) {
      const f16 value(static_cast<float>(static_cast<int>(engine() % 2001U) - 1000) / 5000.0f);
      bytes[block * block_bytes + 2 * header] = static_cast<std::byte>(value.bits & 0xffU);
      bytes[block * block_bytes + 2 * header + 1] = static_cast<std::byte>(value.bits >> 8);
    }
  }
  return bytes;
}

kernels::nibble_planes random_q4(index_t rows, index_t columns, unsigned seed = input_seed, bool is_q4_0 = false) {
  kernels::nibble_planes planes;
  const auto blocks = static_cast<std::size_t>(rows * columns / 32);
  if (is_q4_0) {
    append_q4_0(planes, random_blocks(blocks, kernels::q4_0_block_bytes, 1, seed), rows, columns);
  } else {
    append_q4_1(planes, random_blocks(blocks, kernels::q4_1_block_bytes, 2, seed), rows, columns);
  }
  return planes;
}

kernels::byte_planes random_q8(index_t rows, index_t columns, unsigned seed = input_seed) {
  kernels::byte_planes planes;
  const auto blocks = static_cast<std::size_t>(rows * columns / 32);
  append_q8_0(planes, random_blocks(blocks, kernels::q8_0_block_bytes, 1, seed), rows, columns);
  return planes;
}

double weight(const kernels::nibble_planes& planes, index_t row, index_t column) {
  const index_t groups = planes.groups();
  const index_t half = column / (32 * groups);
  const index_t in_half = column % (32 * groups);
  const unsigned pair = planes.quants[static_cast<std::size_t>((row * groups + in_half / 32) * 32 + in_half % 32)];
  const auto scale = static_cast<std::size_t>((row * 2 + half) * groups + in_half / 32);
  return (half == 0 ? pair & 15U : pair >> 4) * to_f64(planes.scales[scale]) + to_f64(planes.minimums[scale]);
}

double weight(const kernels::byte_planes& planes, index_t row, index_t column) {
  return to_f64(planes.quants[static_cast<std::size_t>(row * planes.columns + column)]) *
         to_f64(planes.scales[static_cast<std::size_t>(row * planes.groups() + column / 32)]);
}

// |error| <= eps (K + 2) sum |x||w|: a weight is rounded once more before its product.
template <class Planes>
expectation quantized_reference(const matrix<f32>& x, const Planes& planes) {
  expectation expected =
      product_reference<f32>(x, planes.rows, [&](index_t n, index_t k) { return weight(planes, n, k); });
  const auto depth = static_cast<double>(x.columns);
  for (double& bound : expected.bound) bound *= (depth + 2.0) / depth;
  return expected;
}

class QuantizedProduct : public KernelTest {
 protected:
  struct q4_device_planes {
    Shared<u8> quants;
    Shared<f32> scales, minimums;
  };
  // Rows of x, and a norm's weights, in the groups of each kind.
  static Shared<f32> in_nibble_groups(const matrix<f32>& x) {
    return upload(x.values, {x.rows, 2, x.columns / 64, 32});
  }
  static Shared<f32> in_byte_groups(const matrix<f32>& x) { return upload(x.values, {x.rows, x.columns / 32, 32}); }
  static Shared<i8> upload_quants(const kernels::byte_planes& planes) {
    return upload(planes.quants, {planes.rows, planes.groups(), 32});
  }
  static q4_device_planes upload_planes(const kernels::nibble_planes& planes) {
    const index_t groups = planes.groups();
    return {upload(planes.quants, {planes.rows, groups, 32}), upload(planes.scales, {planes.rows, 2, groups}),
            upload(planes.minimums, {planes.rows, 2, groups})};
  }

  static std::vector<f32> q4_row(const matrix<f32>& x, const kernels::nibble_planes& planes, index_t rows) {
    const q4_device_planes w = upload_planes(planes);
    return output(kernels::q4_row(poisoned<f32>({x.rows, planes.rows}).partition({1, rows}), in_nibble_groups(x),
                                  w.quants, w.scales, w.minimums));
  }
  static std::vector<f32> q4_tile(const matrix<f32>& x, const kernels::nibble_planes& planes, Shape piece, int groups) {
    const q4_device_planes w = upload_planes(planes);
    return output(kernels::q4_tile.with(dim<BG>(groups), dim<BK>(32 * groups))(
        poisoned<f32>({x.rows, planes.rows}).partition(piece), upload(x), w.quants, w.scales, w.minimums));
  }
  static std::vector<f32> q8_row(const matrix<f32>& x, const kernels::byte_planes& planes, index_t rows) {
    return output(kernels::q8_row(poisoned<f32>({x.rows, planes.rows}).partition({1, rows}), in_byte_groups(x),
                                  upload_quants(planes), upload(planes.scales, {planes.rows, planes.groups()})));
  }
  static std::vector<f32> q8_tile(const matrix<f32>& x, const kernels::byte_planes& planes, Shape piece, int groups) {
    return output(kernels::q8_tile.with(dim<BG>(groups), dim<BK>(32 * groups))(
        poisoned<f32>({x.rows, planes.rows}).partition(piece), upload(x), upload_quants(planes),
        upload(planes.scales, {planes.rows, planes.groups()})));
  }

  // Tiles join steps of some groups of 32. A GPU's do so where their number is a power of two, and refuse any other
  // when the kernel is bound.
  template <class Launch>
  static void expect_tiles_within(int groups, const Launch& launch, const expectation& expected) {
    if (!is_gpu() || (groups & (groups - 1)) == 0) return expect_within(launch(), expected);
    try {
      (void)launch();
      ADD_FAILURE() << groups << " groups were accepted";
    } catch (const compile_error& refused) {
      const std::string text = refused.what();
      EXPECT_NE(text.find("reshape would split or merge an axis that is no power of two"), std::string::npos) << text;
      EXPECT_NE(text.find("quantized"), std::string::npos) << text;
    }
  }
};
TILEWRIGHT_ON_EACH_BACK_END(QuantizedProduct);

struct product_case {
  index_t rows, outputs, columns;
};
constexpr product_case product_cases[] = {{1, 1, 64}, {1, 7, 128}, {3, 16, 192}, {2, 33, 576}, {1, 20, 1536}};

TEST_P(QuantizedProduct, Q4RowsKeepTheirBoundOnEveryShape) {
  for (const product_case& c : product_cases) {
    SCOPED_TRACE(testing::Message() << c.rows << " x " << c.outputs << " x " << c.columns);
    const auto x = random_matrix<f32>(c.rows, c.columns);
    const auto planes = random_q4(c.outputs, c.columns);
    expect_within(q4_row(x, planes, 8), quantized_reference(x, planes));
  }
}

TEST_P(QuantizedProduct, Q4TilesKeepTheirBoundOnEveryShape) {
  for (const product_case& c : product_cases) {
    SCOPED_TRACE(testing::Message() << c.rows << " x " << c.outputs << " x " << c.columns);
    const auto x = random_matrix<f32>(c.rows, c.columns);
    const auto planes = random_q4(c.outputs, c.columns);
    const auto expected = quantized_reference(x, planes);
    for (const int groups : {static_cast<int>(planes.groups()), planes.groups() % 3 == 0 ? 3 : 1}) {
      expect_tiles_within(
          groups,
          [&] {
            return q4_tile(x, planes, {2, 16}, groups);
          },
          expected);
    }
    expect_within(q4_tile(x, planes, {4, 8}, 1), expected);
  }
}

TEST_P(QuantizedProduct, ServesQ4_0Blocks) {
  const auto x = random_matrix<f32>(2, 192);
  const auto planes = random_q4(9, 192, input_seed, true);
  expect_within(q4_row(x, planes, 4), quantized_reference(x, planes));
  expect_tiles_within(
      3,
      [&] {
        return q4_tile(x, planes, {2, 8}, 3);
      },
      quantized_reference(x, planes));
  expect_within(q4_tile(x, planes, {2, 8}, 1), quantized_reference(x, planes));
}

// One rounding more than the product.
expectation sum_reference(expectation product, const matrix<f32>& residual) {
  for (std::size_t i = 0; i < product.reference.size(); ++i) {
    product.reference[i] += to_f64(residual.values[i]);
    product.bound[i] += f32_epsilon * std::abs(product.reference[i]);
  }
  return product;
}

TEST_P(QuantizedProduct, Q4AddsTheResidual) {
  const auto x = random_matrix<f32>(2, 128);
  const auto residual = random_matrix<f32>(2, 13, 7);
  const auto planes = random_q4(13, 128);
  const auto expected = sum_reference(quantized_reference(x, planes), residual);
  const q4_device_planes w = upload_planes(planes);
  expect_within(output(kernels::q4_row_add(poisoned<f32>({2, 13}).partition({1, 8}), upload(residual),
                                           in_nibble_groups(x), w.quants, w.scales, w.minimums)),
                expected);
  expect_within(
      output(kernels::q4_tile_add.with(BG = 2, BK = 64)(poisoned<f32>({2, 13}).partition({2, 8}), upload(residual),
                                                        upload(x), w.quants, w.scales, w.minimums)),
      expected);
}

// silu moves by at most 1.1 times the error of its argument.
expectation gated_reference(const expectation& gate, const expectation& up) {
  expectation expected;
  for (std::size_t i = 0; i < gate.reference.size(); ++i) {
    const double g = gate.reference[i];
    const double silu = g / (1.0 + std::exp(-g));
    const double value = silu * up.reference[i];
    expected.add(value, 1.1 * gate.bound[i] * (std::abs(up.reference[i]) + up.bound[i]) + std::abs(silu) * up.bound[i] +
                            6.0 * f32_epsilon * std::abs(value));
  }
  return expected;
}

TEST_P(QuantizedProduct, Q4GatesAndMultiplies) {
  const auto x = random_matrix<f32>(2, 128);
  const auto gate = random_q4(13, 128);
  const auto up = random_q4(13, 128, 7);
  const auto expected = gated_reference(quantized_reference(x, gate), quantized_reference(x, up));
  const q4_device_planes g = upload_planes(gate);
  const q4_device_planes u = upload_planes(up);
  expect_within(output(kernels::q4_row_silu_mul(poisoned<f32>({2, 13}).partition({1, 8}), in_nibble_groups(x), g.quants,
                                                g.scales, g.minimums, u.quants, u.scales, u.minimums)),
                expected);
  expect_within(output(kernels::q4_tile_silu_mul.with(BG = 2, BK = 64)(poisoned<f32>({2, 13}).partition({2, 8}),
                                                                       upload(x), g.quants, g.scales, g.minimums,
                                                                       u.quants, u.scales, u.minimums)),
                expected);
}

// x as rms_norm makes it, in f64. The f32 row differs by eps (columns + 8) of itself, which the bound below adds.
matrix<f32> normalized(const matrix<f32>& x, const std::vector<f32>& weight, double offset) {
  const expectation row = rms_norm_reference(x, weight, offset);
  matrix<f32> result(x.rows, x.columns);
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] = static_cast<f32>(row.reference[i]);
  return result;
}

// |error| <= eps (2 K + 11) sum |x||w|: that of the product and that of the normalised row.
template <class Planes>
expectation normalized_reference(const matrix<f32>& x, const std::vector<f32>& norm, const Planes& planes) {
  expectation expected = quantized_reference(normalized(x, norm, 1e-5), planes);
  const auto depth = static_cast<double>(x.columns);
  for (double& bound : expected.bound) bound *= (2.0 * depth + 11.0) / (depth + 2.0);
  return expected;
}

TEST_P(QuantizedProduct, NormalizesTheRowFirst) {
  constexpr f32 offset = 1e-5f;
  for (const index_t columns : {index_t{64}, index_t{576}}) {
    SCOPED_TRACE(columns);
    const auto x = random_matrix<f32>(2, columns);
    const auto norm = random_matrix<f32>(1, columns, 5).values;
    const auto planes = random_q4(13, columns);
    const auto others = random_q4(13, columns, 7);
    const q4_device_planes w = upload_planes(planes);
    const q4_device_planes u = upload_planes(others);
    const auto expected = normalized_reference(x, norm, planes);
    const auto nibble_norm = upload(norm, {2, columns / 64, 32}), byte_norm = upload(norm, {columns / 32, 32});
    expect_within(output(kernels::q4_row_norm(poisoned<f32>({2, 13}).partition({1, 8}), in_nibble_groups(x),
                                              nibble_norm, offset, w.quants, w.scales, w.minimums)),
                  expected);
    expect_within(
        output(kernels::q4_row_norm_silu_mul(poisoned<f32>({2, 13}).partition({1, 8}), in_nibble_groups(x), nibble_norm,
                                             offset, w.quants, w.scales, w.minimums, u.quants, u.scales, u.minimums)),
        gated_reference(expected, normalized_reference(x, norm, others)));
    const auto bytes = random_q8(13, columns);
    expect_within(
        output(kernels::q8_row_norm(poisoned<f32>({2, 13}).partition({1, 8}), in_byte_groups(x), byte_norm, offset,
                                    upload_quants(bytes), upload(bytes.scales, {13, bytes.groups()}))),
        normalized_reference(x, norm, bytes));
  }
}

TEST_P(QuantizedProduct, Q8KeepsItsBoundOnEveryShape) {
  for (const product_case& c : product_cases) {
    SCOPED_TRACE(testing::Message() << c.rows << " x " << c.outputs << " x " << c.columns);
    const auto x = random_matrix<f32>(c.rows, c.columns);
    const auto planes = random_q8(c.outputs, c.columns);
    const auto expected = quantized_reference(x, planes);
    expect_within(q8_row(x, planes, 8), expected);
    expect_within(q8_tile(x, planes, {2, 16}, 2), expected);
  }
}

TEST_P(QuantizedProduct, Q8AddsTheResidualAndGates) {
  const auto x = random_matrix<f32>(3, 96);
  const auto residual = random_matrix<f32>(3, 13, 7);
  const auto norm = random_matrix<f32>(1, 96, 5).values;
  constexpr f32 offset = 1e-5f;
  const auto planes = random_q8(13, 96);
  const auto others = random_q8(13, 96, 7);
  const auto quants = upload_quants(planes), other_quants = upload_quants(others);
  const auto scales = upload(planes.scales, {13, 3}), other_scales = upload(others.scales, {13, 3});
  const auto sum = sum_reference(quantized_reference(x, planes), residual);
  const auto rows = [&] { return poisoned<f32>({3, 13}).partition({1, 8}); };
  const auto tiles = [&] { return poisoned<f32>({3, 13}).partition({2, 8}); };
  expect_within(output(kernels::q8_row_add(rows(), upload(residual), in_byte_groups(x), quants, scales)), sum);
  const auto add_in_tiles = [&](const auto& kernel) {
    return output(kernel(tiles(), upload(residual), upload(x), quants, scales));
  };
  expect_tiles_within(
      3, [&] { return add_in_tiles(kernels::q8_tile_add.with(BG = 3, BK = 96)); }, sum);
  expect_within(add_in_tiles(kernels::q8_tile_add.with(BG = 1, BK = 32)), sum);
  expect_within(output(kernels::q8_row_norm_silu_mul(rows(), in_byte_groups(x), upload(norm, {3, 32}), offset, quants,
                                                     scales, other_quants, other_scales)),
                gated_reference(normalized_reference(x, norm, planes), normalized_reference(x, norm, others)));
  expect_within(output(kernels::q8_tile_silu_mul.with(BG = 1, BK = 32)(tiles(), upload(x), quants, scales, other_quants,
                                                                       other_scales)),
                gated_reference(quantized_reference(x, planes), quantized_reference(x, others)));
}

TEST_P(QuantizedProduct, NanOfARowOfXStaysInThatRow) {
  auto x = random_matrix<f32>(3, 128);
  x.at(1, 5) = from_f64<f32>(not_a_number);
  const auto planes = random_q4(5, 128);
  expect_within(q4_row(x, planes, 8), quantized_reference(x, planes));
  expect_within(q4_tile(x, planes, {2, 8}, 2), quantized_reference(x, planes));
}

// KER-07
TEST_P(QuantizedProduct, WithoutRowsDoesNothing) {
  EXPECT_TRUE(q4_row(matrix<f32>(0, 64), random_q4(5, 64), 8).empty());
  EXPECT_TRUE(q4_tile(matrix<f32>(0, 64), random_q4(5, 64), {2, 8}, 1).empty());
}

// A step that does not divide the groups would pair quants with the wrong columns of x.
TEST_P(QuantizedProduct, RefusesAStepThatDoesNotDivideTheGroups) {
  const auto x = random_matrix<f32>(2, 320);
  EXPECT_THROW((void)q4_tile(x, random_q4(5, 320), {2, 8}, 3), compile_error);
}

}  // namespace
}  // namespace tilewright::test
