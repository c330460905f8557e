// SPDX-License-Identifier: Apache-2.0
// Products with quantised weights. A few rows of activations go through row kernels, which normalise on the way; many
// go through tile kernels, which feed a matrix product.
#include "grout/model/products.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <variant>

#include "tilewright/kernels/embedding.hpp"
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

bool is_gpu(const Tensor<float>& x) { return tilewright::compiler::is_gpu(x.device().target()); }

index_t round_up(index_t value, index_t unit) { return (value + unit - 1) / unit * unit; }

// Up to here the row kernels win, though they unpack each weight once a row.
constexpr index_t most_single_rows = 6;
bool are_few(const Tensor<float>& x) { return x.shape()[0] <= most_single_rows; }

// Columns of a block of a row kernel. A GPU wants many blocks, and powers of two.
index_t gpu_row_columns(index_t columns) {
  constexpr index_t usual = 4, wide = 8, many = 16384;
  index_t piece = columns >= many ? wide : usual;
  while (columns % piece != 0) piece /= 2;
  return piece;
}

// On the host about 16 blocks, so that threads can share them evenly. Preferably a divisor:
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
index_t tile_rows(index_t rows) {
  constexpr index_t unit = 16, large = 64, largest = 128;
  if (rows % largest == 0) return largest;
  return rows % large == 0 ? large : std::min(round_up(rows, unit), large);
}

// Wide tiles multiply faster, but there must be enough of them for all threads.
index_t tile_columns(index_t rows, index_t columns) {
  constexpr index_t usual = 64, wide = 192, blocks_of_a_thread = 3;
  static const auto threads = static_cast<index_t>(std::max(1U, std::thread::hardware_concurrency()));
  const index_t wide_blocks = rows / tile_rows(rows) * (columns / wide);
  return columns % wide == 0 && wide_blocks >= blocks_of_a_thread * threads ? wide : usual;
}

// Groups of one step of a tile kernel: a divisor of all groups, on a GPU a power of two.
index_t groups_of_a_step(index_t groups, index_t most, bool is_on_gpu) {
  index_t step = std::min(groups, is_on_gpu ? std::min<index_t>(most, 4) : most);
  while (groups % step != 0 || (is_on_gpu && (step & (step - 1)) != 0)) --step;
  return step;
}

Shape row_pieces(const Tensor<float>& z) {
  const index_t columns = z.shape()[1];
  return {1, is_gpu(z) ? gpu_row_columns(columns) : row_columns(columns)};
}
Shape tile_pieces(const Tensor<float>& z) {
  constexpr index_t gpu_columns = 64;
  const Shape shape = z.shape();
  return {tile_rows(shape[0]), is_gpu(z) ? gpu_columns : tile_columns(shape[0], shape[1])};
}

template <class Kernel>
Kernel with_step(const Kernel& kernel, index_t groups) {
  return kernel.with(dim<kernels::BG>(groups), dim<kernels::BK>(groups * kernels::quant_block),
                     tilewright::programmatic);
}

// What differs between the kinds of matrices: kernels, their Dims, the planes they are called with, and how rows of x
// and of a norm are seen by row kernels.
template <class Planes>
struct KernelsOf;

template <>
struct KernelsOf<NibbleMatrix> {
  const NibbleMatrix& weights;

  index_t groups() const { return weights.columns / kernels::nibble_column_unit; }
  Shape rows_in_groups(index_t rows) const { return {rows, 2, groups(), kernels::quant_block}; }
  Shape norm_in_groups() const { return {2, groups(), kernels::quant_block}; }
  template <class Kernel>
  Kernel tiles(const Kernel& kernel, bool is_on_gpu) const {
    return with_step(kernel, groups_of_a_step(groups(), 4, is_on_gpu));
  }
  template <class Call>
  static void with_planes(const NibbleMatrix& matrix, const Call& call) {
    call(matrix.quants.borrow(), matrix.scales.borrow(), matrix.minimums.borrow());
  }
  static auto row_norm() { return kernels::q4_row_norm.with(tilewright::programmatic); }
  static auto row_norm_silu_mul() { return kernels::q4_row_norm_silu_mul.with(tilewright::programmatic); }
  static auto row_add() { return kernels::q4_row_add.with(tilewright::programmatic); }
  static constexpr auto tile = kernels::q4_tile;
  static constexpr auto tile_silu_mul = kernels::q4_tile_silu_mul;
  static constexpr auto tile_add = kernels::q4_tile_add;
};

template <>
struct KernelsOf<ByteMatrix> {
  const ByteMatrix& weights;

  index_t groups() const { return weights.columns / kernels::quant_block; }
  Shape rows_in_groups(index_t rows) const { return {rows, groups(), kernels::quant_block}; }
  Shape norm_in_groups() const { return {groups(), kernels::quant_block}; }
  template <class Kernel>
  Kernel tiles(const Kernel& kernel, bool is_on_gpu) const {
    return with_step(kernel, groups_of_a_step(groups(), 6, is_on_gpu));
  }
  template <class Call>
  static void with_planes(const ByteMatrix& matrix, const Call& call) {
    call(matrix.quants.borrow(), matrix.scales.borrow());
  }
  static auto row_norm() { return kernels::q8_row_norm.with(tilewright::programmatic); }
  static auto row_norm_silu_mul() { return kernels::q8_row_norm_silu_mul.with(tilewright::programmatic); }
  static auto row_add() { return kernels::q8_row_add.with(tilewright::programmatic); }
  static constexpr auto tile = kernels::q8_tile;
  static constexpr auto tile_silu_mul = kernels::q8_tile_silu_mul;
  static constexpr auto tile_add = kernels::q8_tile_add;
};

// Calls call(planes) with the kind that the matrix is.
template <class Call>
void with_kind(const Matrix& weights, const Call& call) {
  if (const auto* nibbles = std::get_if<NibbleMatrix>(&weights)) return call(*nibbles);
  call(std::get<ByteMatrix>(weights));
}

// Calls call(kernels of the matrix's kind, its planes...).
template <class Call>
void with_weights(const Matrix& weights, const Call& call) {
  with_kind(weights, [&]<class Planes>(const Planes& matrix) {
    KernelsOf<Planes>::with_planes(matrix,
                                   [&](auto&&... planes) { call(KernelsOf<Planes>{matrix}, std::move(planes)...); });
  });
}

// The same for two matrices of one kind.
template <class Call>
void with_weights(const Matrix& first, const Matrix& second, const Call& call) {
  with_kind(first, [&]<class Planes>(const Planes& matrix) {
    using Kernels = KernelsOf<Planes>;
    Kernels::with_planes(matrix, [&](auto&&... planes) {
      Kernels::with_planes(std::get<Planes>(second), [&](auto&&... others) {
        call(Kernels{matrix}, std::move(planes)..., std::move(others)...);
      });
    });
  });
}

// Rows of the stream from `first` on, normalised for tile kernels.
void normalize(Stream<float>& x, const Norm& norm) {
  const Shape row{1, x.values.shape()[1]};
  kernels::rms_norm<float>()
      .with(tilewright::programmatic)(x.normalized.partition(row), x.values.borrow(), norm.weights.borrow(),
                                      norm.epsilon)
      .sync();
}

}  // namespace

Stream<float>::Stream(const ModelConfig& config, index_t rows, const tilewright::Device& device)
    : values(device.empty<float>({rows, config.width})), normalized(device.empty<float>({rows, config.width})) {}

void multiply_normalized(Tensor<float>& z, Stream<float>& x, index_t first, const Norm& norm, const Matrix& weights) {
  const bool is_few = are_few(z);
  if (!is_few) normalize(x, norm);
  const index_t rows = x.values.shape()[0];
  with_weights(weights, [&](const auto& of, auto&&... planes) {
    if (is_few) {
      of.row_norm()(z.partition(row_pieces(z)),
                    x.values.slice(0, first, rows).reshape(of.rows_in_groups(rows - first)).borrow(),
                    norm.weights.reshape(of.norm_in_groups()), norm.epsilon, std::move(planes)...)
          .sync();
    } else {
      of.tiles(of.tile, is_gpu(z))(z.partition(tile_pieces(z)), x.normalized.slice(0, first, rows).borrow(),
                                   std::move(planes)...)
          .sync();
    }
  });
}

void multiply_gated(Tensor<float>& z, Stream<float>& x, const Norm& norm, const LayerWeights& weights) {
  const bool is_few = are_few(z);
  if (!is_few) normalize(x, norm);
  with_weights(weights.gate, weights.up.value(), [&](const auto& of, auto&&... planes) {
    if (is_few) {
      of.row_norm_silu_mul()(z.partition(row_pieces(z)), x.values.reshape(of.rows_in_groups(z.shape()[0])).borrow(),
                             norm.weights.reshape(of.norm_in_groups()), norm.epsilon, std::move(planes)...)
          .sync();
    } else {
      of.tiles(of.tile_silu_mul, is_gpu(z))(z.partition(tile_pieces(z)), x.normalized.borrow(), std::move(planes)...)
          .sync();
    }
  });
}

void multiply_add(Stream<float>& z, const Stream<float>& residual, const Tensor<float>& x, const Matrix& weights,
                  const Norm&) {
  with_weights(weights, [&](const auto& of, auto&&... planes) {
    if (are_few(x)) {
      of.row_add()(z.values.partition(row_pieces(z.values)), residual.values.borrow(),
                   x.reshape(of.rows_in_groups(x.shape()[0])).borrow(), std::move(planes)...)
          .sync();
    } else {
      of.tiles(of.tile_add, is_gpu(x))(z.values.partition(tile_pieces(z.values)), residual.values.borrow(), x.borrow(),
                                       std::move(planes)...)
          .sync();
    }
  });
}

void look_up(Stream<float>& z, const Matrix& embedding, const Tensor<std::int64_t>& ids, const Norm&) {
  const index_t rows = z.values.shape()[0];
  const auto token_ids = [&] { return ids.reshape({rows}); };
  if (const auto* bytes = std::get_if<ByteMatrix>(&embedding)) {
    const Shape shape = KernelsOf<ByteMatrix>{*bytes}.rows_in_groups(rows);
    kernels::embedding_q8_0<std::int64_t>()
        .with(tilewright::programmatic)(z.values.reshape(shape).partition({1, shape[1], shape[2]}),
                                        bytes->quants.borrow(), bytes->scales.borrow(), token_ids().borrow())
        .sync();
    return;
  }
  const auto& nibbles = std::get<NibbleMatrix>(embedding);
  const Shape shape = KernelsOf<NibbleMatrix>{nibbles}.rows_in_groups(rows);
  kernels::embedding_q4<std::int64_t>()
      .with(tilewright::programmatic)(z.values.reshape(shape).partition({1, 2, shape[2], shape[3]}),
                                      nibbles.quants.borrow(), nibbles.scales.borrow(), nibbles.minimums.borrow(),
                                      token_ids().borrow())
      .sync();
}

}  // namespace grout
