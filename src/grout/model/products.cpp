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

index_t round_up(index_t value, index_t unit) { return (value + unit - 1) / unit * unit; }

// Up to here the row kernels win, though they unpack each weight once a row.
constexpr index_t most_single_rows = 6;
bool are_few(const Tensor<float>& x) { return x.shape()[0] <= most_single_rows; }

// Columns of a block of a row kernel: about 16 blocks, so that threads can share them evenly. Preferably a divisor:
// blocks that overhang cost more.
index_t row_columns(index_t columns) {
  constexpr index_t blocks = 16, unit = 16, most = 256;
  const index_t wanted = std::clamp(round_up(columns / blocks, unit), unit, most);
  for (index_t piece = wanted; piece >= unit; piece -= unit) {
    if (columns % piece == 0) return piece;
  }
  return wanted;
}

// Pieces of a tile kernel. Rows come in multiples of 64 or of 16 but for the last few of a prompt (Sequence::append).
constexpr index_t tile_columns = 64;
index_t tile_rows(index_t rows) {
  constexpr index_t unit = 16, most = 64;
  return rows % most == 0 ? most : std::min(round_up(rows, unit), most);
}

// Groups of one step of a tile kernel: a divisor of all groups.
index_t groups_of_a_step(index_t groups) {
  constexpr index_t most = 4;
  index_t step = std::min(groups, most);
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

Shape row_pieces(const Tensor<float>& z) { return {1, row_columns(z.shape()[1])}; }
Shape tile_pieces(const Tensor<float>& z) { return {tile_rows(z.shape()[0]), tile_columns}; }

void normalize(Tensor<float>& z, const Tensor<float>& x, const Shared<float>& norm, float epsilon) {
  kernels::rms_norm<float>()(z.partition({1, x.shape()[1]}), x.borrow(), norm.borrow(), epsilon).sync();
}

}  // namespace

void multiply_normalized(Tensor<float>& z, const Tensor<float>& x, const Shared<float>& norm, float epsilon,
                         const NibbleMatrix& weights, Tensor<float>& normalized) {
  if (are_few(x)) {
    for_rows(kernels::q4_row_norm, weights)(z.partition(row_pieces(z)), x.borrow(), norm.borrow(), epsilon,
                                            weights.quants.borrow(), weights.scales.borrow(), weights.minimums.borrow())
        .sync();
    return;
  }
  normalize(normalized, x, norm, epsilon);
  for_tiles(kernels::q4_tile, weights)(z.partition(tile_pieces(z)), normalized.borrow(), weights.quants.borrow(),
                                       weights.scales.borrow(), weights.minimums.borrow())
      .sync();
}

void multiply_gated(Tensor<float>& z, const Tensor<float>& x, const Shared<float>& norm, float epsilon,
                    const LayerWeights& weights, Tensor<float>& normalized) {
  const NibbleMatrix& gate = weights.gate;
  const NibbleMatrix& up = weights.up;
  if (are_few(x)) {
    for_rows(kernels::q4_row_norm_silu_mul, gate)(z.partition(row_pieces(z)), x.borrow(), norm.borrow(), epsilon,
                                                  gate.quants.borrow(), gate.scales.borrow(), gate.minimums.borrow(),
                                                  up.quants.borrow(), up.scales.borrow(), up.minimums.borrow())
        .sync();
    return;
  }
  normalize(normalized, x, norm, epsilon);
  for_tiles(kernels::q4_tile_silu_mul, gate)(z.partition(tile_pieces(z)), normalized.borrow(), gate.quants.borrow(),
                                             gate.scales.borrow(), gate.minimums.borrow(), up.quants.borrow(),
                                             up.scales.borrow(), up.minimums.borrow())
      .sync();
}

void multiply_add(Tensor<float>& z, const Tensor<float>& residual, const Tensor<float>& x,
                  const NibbleMatrix& weights) {
  if (are_few(x)) {
    for_rows(kernels::q4_row_add, weights)(z.partition(row_pieces(z)), residual.borrow(), x.borrow(),
                                           weights.quants.borrow(), weights.scales.borrow(), weights.minimums.borrow())
        .sync();
    return;
  }
  for_tiles(kernels::q4_tile_add, weights)(z.partition(tile_pieces(z)), residual.borrow(), x.borrow(),
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
