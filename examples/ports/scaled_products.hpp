// SPDX-License-Identifier: Apache-2.0
// Block-scaled products of 8-bit and 4-bit floats. The depth lies in the rows of both sides: z [M, N] = x [M, K] times
// y [N, K] transposed. A row has a scale for each so many elements of it, its blocks: x_scales [M, blocks] and y_scales
// [N, blocks]. A last block may have fewer elements. z is in pieces [BM, BN], a step takes BG blocks.
// Peers: Triton's tutorial 10; cuTile Rust's nvfp4 and mxfp8; TileLang's gemm_fp8 with scales.
#pragma once

#include <type_traits>

#include "tilewright/kernels/dims.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// Elements of a format and their scales. Tensors hold two elements of 4 bits in each byte.
template <class T, class Scale, int BlockDepth>
struct scaled_format {
  using scale = Scale;
  static constexpr bool is_packed = is_half_byte(dtype_of<T>);
  using stored = std::conditional_t<is_packed, u8, T>;
  static constexpr int block = is_packed ? BlockDepth / 2 : BlockDepth;  // of what is stored

  static constexpr auto elements(const auto& tile) {
    if constexpr (is_packed) {
      return unpack<T>(tile);
    } else {
      return tile;
    }
  }
};
using mxfp8 = scaled_format<f8e4m3, f8e8m0, 32>;
using mxfp4 = scaled_format<f4e2m1, f8e8m0, 32>;
using nvfp4 = scaled_format<f4e2m1, f8e4m3, 16>;  // z is to be multiplied by the scales of the whole tensors

template <class Z, class X, class S, class Blocks>
constexpr void require_scaled_rows(const Z& z, const X& x, const S& x_scales, const X& y, const S& y_scales,
                                   const Blocks& blocks) {
  require_equal(x.extent(0), z.extent(0));
  require_equal(y.extent(0), z.extent(1));
  require_equal(x.extent(1), y.extent(1));
  require_equal(x_scales.extent(0), x.extent(0));
  require_equal(y_scales.extent(0), y.extent(0));
  require_equal(x_scales.extent(1), blocks);
  require_equal(y_scales.extent(1), blocks);
}

// Scaled in the matrix unit where it does that (compute capability 10.0 on), else before it, with the same sums: an
// element times its scale is exact.
template <class Format, class Z>
inline constexpr auto scaled_product =
    kernel<"scaled_product">([](Block b, Out<Z, BM, BN> z, In<typename Format::stored, dyn, dyn> x,
                                In<typename Format::scale, dyn, dyn> x_scales, In<typename Format::stored, dyn, dyn> y,
                                In<typename Format::scale, dyn, dyn> y_scales) {
      require_scaled_rows(z, x, x_scales, y, y_scales, x.partition(tile<BM, Format::block>).tiles(1));
      auto xt = x.partition(tile<BM, BG * Format::block>);
      auto yt = y.partition(tile<BN, BG * Format::block>);
      auto sum = b.zeros<f32>(tile<BM, BN>);
      for (auto k : range(xt.tiles(1))) {
        auto left = Format::elements(xt.load(b.pid(0), k, pad(0)));
        auto right = Format::elements(yt.load(b.pid(1), k, pad(0)));
        auto of_left = x_scales.load(tile<BM, BG>, b.pid(0), k, pad(1));
        auto of_right = y_scales.load(tile<BN, BG>, b.pid(1), k, pad(1));
        sum = mma_scaled(left, of_left, transpose(right), transpose(of_right), sum);
      }
      z.store(cast<Z>(sum));
    }).defaults(BG = 4);

// Scales of f32, for BK elements each, which no matrix unit takes: the products of one block are summed, then scaled.
template <class T, class Z>
inline constexpr auto block_scaled_product =
    kernel<"block_scaled_product">([](Block b, Out<Z, BM, BN> z, In<T, dyn, dyn> x, In<f32, dyn, dyn> x_scales,
                                      In<T, dyn, dyn> y, In<f32, dyn, dyn> y_scales) {
      auto xt = x.partition(tile<BM, BK>);
      auto yt = y.partition(tile<BN, BK>);
      require_scaled_rows(z, x, x_scales, y, y_scales, xt.tiles(1));
      auto sum = b.zeros<f32>(tile<BM, BN>);
      for (auto k : range(xt.tiles(1))) {
        auto left = xt.load(b.pid(0), k, pad(0));
        auto right = yt.load(b.pid(1), k, pad(0));
        auto of_left = x_scales.load(tile<BM, 1>, b.pid(0), k);
        auto of_right = y_scales.load(tile<BN, 1>, b.pid(1), k);
        sum += mma(left, transpose(right), b.zeros<f32>(tile<BM, BN>)) * of_left * transpose(of_right);
      }
      z.store(cast<Z>(sum));
    }).defaults(BK = 128);

}  // namespace tilewright::ports
