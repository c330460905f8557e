// SPDX-License-Identifier: Apache-2.0
// Products with dense weights. How a product is cut depends on the device: a GPU streams the weights of one row of
// activations through its matrix units where these give a block for each multiprocessor, else by multiply-adds in
// narrow pieces. Each kernel may start while the one before it ends (programmatic).
#include <algorithm>
#include <bit>
#include <string>

#include "grout/model/products.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/dense_product.hpp"

namespace grout {
namespace {

using tilewright::bf16;
using tilewright::Device;
using tilewright::dim;
using tilewright::Shape;
using tilewright::Shared;
using tilewright::Tensor;
namespace kernels = tilewright::kernels;
using kernels::BK;
using kernels::BM;
using kernels::BN;
using kernels::HALF_BN;
using kernels::PIECES;

bool is_gpu(const Device& device) { return tilewright::compiler::is_gpu(device.target()); }

// From so many rows of weights on, tiles of 64 keep all multiprocessors of a large GPU busy.
constexpr index_t wide_rows = 6144;
constexpr index_t head_rows = 65536;

// Columns of a piece of the stream. One row is cut so that a narrow product has many blocks.
index_t stream_piece(index_t width, index_t rows, const Device& device) {
  index_t piece = rows == 1 ? (is_gpu(device) ? 4 : 16) : 64;
  while (width % piece != 0) piece /= 2;
  return piece;
}

index_t piece_bound(const Stream<bf16>& x) {
  return static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(x.squares.shape()[1])));
}

// Rows of activations of one tile: 8 is the least that a matrix unit takes.
index_t tile_rows(index_t rows) {
  constexpr index_t least = 8, most = 64;
  return std::clamp(static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(rows))), least, most);
}

// One row through the tile kernels: only where a GPU gains by it.
bool goes_by_tiles(index_t rows, index_t weight_rows, const Device& device) {
  return rows > 1 || (is_gpu(device) && weight_rows >= wide_rows);
}

// Kernels of one row, streaming weights past the copy engine.
template <class Kernel>
Kernel for_row(const Kernel& kernel, const Device& device) {
  constexpr index_t on_host = 256, on_gpu = 1024;
  return kernel.with(dim<BK>(is_gpu(device) ? on_gpu : on_host), tilewright::programmatic, tilewright::occupancy = 4,
                     tilewright::tma = false);
}

// Tile kernels: depth of a step by how the weights are best streamed.
template <class Kernel>
Kernel for_tiles(const Kernel& kernel, index_t rows, index_t weight_rows) {
  const auto tiled = kernel.with(tilewright::programmatic);
  if (rows > 1) return tiled.with(BK = 64);
  if (weight_rows >= head_rows) return tiled.with(BK = 512, tilewright::occupancy = 1);
  return weight_rows > wide_rows ? tiled.with(BK = 128, tilewright::occupancy = 4)
                                 : tiled.with(BK = 256, tilewright::occupancy = 1);
}

const DenseMatrix& dense(const Matrix& matrix) { return std::get<DenseMatrix>(matrix); }

// Launches z = rms_norm * weights, or z = silu * mul of it, by the kernel.
template <class Kernel, class Piece, class Weights>
void launch(const Kernel& kernel, Piece&& z, const Stream<bf16>& x, index_t first, index_t rows, const Norm& norm,
            const Weights& weights) {
  kernel
      .with(dim<PIECES>(piece_bound(x)))(std::forward<Piece>(z), x.scaled.slice(0, first, first + rows).borrow(),
                                         x.squares.slice(0, first, first + rows).borrow(), norm.epsilon,
                                         weights.borrow())
      .sync();
}

}  // namespace

Stream<bf16>::Stream(const ModelConfig& config, index_t rows, const Device& device)
    : values(device.empty<float>({rows, config.width})),
      scaled(device.empty<bf16>({rows, config.width})),
      squares(device.empty<float>({rows, config.width / stream_piece(config.width, rows, device)})) {}

void multiply_normalized(Tensor<float>& z, Stream<bf16>& x, index_t first, const Norm& norm, const Matrix& weights) {
  const DenseMatrix& matrix = dense(weights);
  const index_t rows = z.shape()[0];
  const Device device = z.device();
  const auto run = [&](const auto& kernel, const Shape& piece) {
    launch(kernel, z.partition(piece), x, first, rows, norm, matrix.values);
  };
  if (!goes_by_tiles(rows, matrix.rows, device)) {
    run(for_row(kernels::dense_norm_row<bf16, float>(), device), {1, is_gpu(device) ? 4 : 16});
  } else if (rows == 1) {
    run(for_tiles(kernels::dense_norm<bf16, float, kernels::one_row>(), rows, matrix.rows), {tile_rows(rows), 64});
  } else {
    run(for_tiles(kernels::dense_norm<bf16, float>(), rows, matrix.rows), {tile_rows(rows), 64});
  }
}

void multiply_gated(Tensor<bf16>& z, Stream<bf16>& x, const Norm& norm, const LayerWeights& weights) {
  const DenseMatrix& both = dense(weights.gate);
  const index_t rows = z.shape()[0], units = z.shape()[1] / kernels::gate_rows;
  const Device device = z.device();
  const auto run = [&](const auto& kernel) {
    launch(kernel, z.partition({tile_rows(rows), kernels::gate_rows}), x, 0, rows, norm, both.values);
  };
  if (!goes_by_tiles(rows, both.rows, device)) {
    launch(for_row(kernels::dense_norm_silu_mul_row<bf16>(), device),
           z.reshape({rows, units, kernels::gate_rows}).partition({1, 1, is_gpu(device) ? 4 : 16}), x, 0, rows, norm,
           both.values.reshape({units, 2, kernels::gate_rows, both.columns}));
  } else if (rows == 1) {
    run(for_tiles(kernels::dense_norm_silu_mul<bf16, kernels::one_row>(), rows, both.rows));
  } else {
    run(for_tiles(kernels::dense_norm_silu_mul<bf16>(), rows, both.rows));
  }
}

void multiply_add(Stream<bf16>& z, const Stream<bf16>& residual, const Tensor<bf16>& x, const Matrix& weights,
                  const Norm& next) {
  const DenseMatrix& matrix = dense(weights);
  const index_t rows = x.shape()[0];
  const Device device = x.device();
  const index_t piece = stream_piece(matrix.rows, rows, device);
  if (rows > 1) {
    const index_t tall = tile_rows(rows);
    for_tiles(kernels::dense_add<bf16>(), rows, matrix.rows)(
        z.values.partition({tall, piece}), z.scaled.partition({tall, piece}), z.squares.partition({tall, 1}),
        residual.values.borrow(), x.borrow(), matrix.values.borrow(), next.weights.borrow())
        .sync();
  } else {
    for_row(kernels::dense_add_row<bf16>(), device)(z.values.partition({1, piece}), z.scaled.partition({1, piece}),
                                                    z.squares.partition({1, 1}), residual.values.borrow(), x.borrow(),
                                                    matrix.values.borrow(), next.weights.borrow())
        .sync();
  }
}

void look_up(Stream<bf16>& z, const Matrix& embedding, const Tensor<std::int64_t>& ids, const Norm& next) {
  const Shape shape = z.values.shape();
  const index_t piece = stream_piece(shape[1], shape[0], z.values.device());
  kernels::embedding_prepared<bf16>()
      .with(tilewright::programmatic)(z.values.partition({1, piece}), z.scaled.partition({1, piece}),
                                      z.squares.partition({1, 1}), dense(embedding).values.borrow(),
                                      ids.reshape({shape[0]}).borrow(), next.weights.borrow())
      .sync();
}

}  // namespace grout
