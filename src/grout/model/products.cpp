// SPDX-License-Identifier: Apache-2.0
#include "grout/model/products.hpp"

#include <algorithm>

#include "tilewright/kernels/normalization.hpp"
#include "tilewright/kernels/quantized.hpp"
#include "tilewright/kernels/quantized_product.hpp"

namespace grout {
namespace {

using tilewright::dim;
using tilewright::Shape;
using tilewright::Shared;
using tilewright::Tensor;
namespace kernels = tilewright::kernels;

// Pieces of a product with many rows.
constexpr index_t tile_rows = 64;
constexpr index_t tile_columns = 64;
constexpr index_t most_groups_of_a_step = 4;

// Columns of a block when there is one row: some blocks for each thread, each long enough to be worth it.
index_t row_piece(index_t columns) {
  constexpr index_t blocks = 16, least = 16, most = 256;
  return std::clamp((columns / blocks + 15) / 16 * 16, least, most);
}

// Groups of one step of a tile product: a divisor of all groups.
index_t groups_of_a_step(index_t groups) {
  index_t step = std::min(groups, most_groups_of_a_step);
  while (groups % step != 0) --step;
  return step;
}

template <class Kernel>
Kernel for_rows(const Kernel& kernel, const NibbleMatrix& weights) {
  return kernel.with(dim<kernels::HALF>(weights.columns / 2));
}

template <class Kernel>
Kernel for_tiles(const Kernel& kernel, const NibbleMatrix& weights) {
  const index_t groups = groups_of_a_step(weights.columns / kernels::nibble_column_unit);
  return kernel.with(dim<kernels::BG>(groups), dim<kernels::BK>(groups * kernels::quant_block));
}

Shape row_pieces(const Tensor<float>& z) { return {1, row_piece(z.shape()[1])}; }
Shape tile_pieces() { return {tile_rows, tile_columns}; }
bool is_row(const Tensor<float>& x) { return x.shape()[0] == 1; }

void normalize(Tensor<float>& z, const Tensor<float>& x, const Shared<float>& norm, float epsilon) {
  kernels::rms_norm<float>()(z.partition({1, x.shape()[1]}), x.borrow(), norm.borrow(), epsilon).sync();
}

}  // namespace

void multiply_normalized(Tensor<float>& z, const Tensor<float>& x, const Shared<float>& norm, float epsilon,
                         const NibbleMatrix& weights, Tensor<float>& normalized) {
  if (is_row(x)) {
    for_rows(kernels::q4_row_norm, weights)(z.partition(row_pieces(z)), x.borrow(), norm.borrow(), epsilon,
                                            weights.quants.borrow(), weights.scales.borrow(), weights.minimums.borrow())
        .sync();
    return;
  }
  normalize(normalized, x, norm, epsilon);
  for_tiles(kernels::q4_tile, weights)(z.partition(tile_pieces()), normalized.borrow(), weights.quants.borrow(),
                                       weights.scales.borrow(), weights.minimums.borrow())
      .sync();
}

void multiply_gated(Tensor<float>& z, const Tensor<float>& x, const Shared<float>& norm, float epsilon,
                    const LayerWeights& weights, Tensor<float>& normalized) {
  const NibbleMatrix& gate = weights.gate;
  const NibbleMatrix& up = weights.up;
  if (is_row(x)) {
    for_rows(kernels::q4_row_norm_silu_mul, gate)(z.partition(row_pieces(z)), x.borrow(), norm.borrow(), epsilon,
                                                  gate.quants.borrow(), gate.scales.borrow(), gate.minimums.borrow(),
                                                  up.quants.borrow(), up.scales.borrow(), up.minimums.borrow())
        .sync();
    return;
  }
  normalize(normalized, x, norm, epsilon);
  for_tiles(kernels::q4_tile_silu_mul, gate)(z.partition(tile_pieces()), normalized.borrow(), gate.quants.borrow(),
                                             gate.scales.borrow(), gate.minimums.borrow(), up.quants.borrow(),
                                             up.scales.borrow(), up.minimums.borrow())
      .sync();
}

void multiply_add(Tensor<float>& z, const Tensor<float>& residual, const Tensor<float>& x,
                  const NibbleMatrix& weights) {
  if (is_row(x)) {
    for_rows(kernels::q4_row_add, weights)(z.partition(row_pieces(z)), residual.borrow(), x.borrow(),
                                           weights.quants.borrow(), weights.scales.borrow(), weights.minimums.borrow())
        .sync();
    return;
  }
  for_tiles(kernels::q4_tile_add, weights)(z.partition(tile_pieces()), residual.borrow(), x.borrow(),
                                           weights.quants.borrow(), weights.scales.borrow(), weights.minimums.borrow())
      .sync();
}

void multiply_head(Tensor<float>& z, const Tensor<float>& x, index_t row, const Shared<float>& norm, float epsilon,
                   const ByteMatrix& head) {
  kernels::q8_row_norm(z.partition(row_pieces(z)), x.slice(0, row, row + 1).borrow(), norm.borrow(), epsilon,
                       head.quants.borrow(), head.scales.borrow())
      .sync();
}

}  // namespace grout
