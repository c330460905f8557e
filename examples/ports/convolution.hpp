// SPDX-License-Identifier: Apache-2.0
// Convolution of images [count, height, width, channels] as a product without the matrix of patches: for each tap of
// the filter the pixels that it meets are gathered as rows, or loaded as a window that the tap shifts. Pooling by
// windows. Peers: TileLang's example_convolution, Triton's tests.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// x is seen as [count * height * width, channels], z as [count * rows * columns, filters] in pieces [BM, BN]; weights
// are [taps down, taps right, channels, filters]. Pixel (r, c) of z sees x from (r stride - margin, c stride - margin)
// on; outside of the image all is 0. f32 accumulation; BK divides the channels.
template <class T>
inline constexpr auto convolution =
    kernel<"convolution">([](Block b, Out<T, BM, BN> z, In<T, dyn, dyn> x, In<T, dyn, dyn, dyn, dyn> weights,
                             Scalar<i32> height, Scalar<i32> width, Scalar<i32> rows, Scalar<i32> columns,
                             Scalar<i32> stride, Scalar<i32> margin) {
      requires_((height > 0) & (width > 0) & (rows > 0) & (columns > 0));
      require_equal(weights.extent(2), x.extent(1));
      require_equal(weights.extent(3), z.extent(1));
      auto wt = weights.partition(tile<1, 1, BK, BN>);
      auto pixel = b.iota<index_element>(tile<BM, 1>) + b.pid(0) * b.size(tile<BM>);
      auto line = pixel / to_index(columns);
      auto image = line / to_index(rows);
      auto top = (line - image * to_index(rows)) * to_index(stride) - to_index(margin);
      auto left = (pixel - line * to_index(columns)) * to_index(stride) - to_index(margin);
      auto sum = b.zeros<f32>(tile<BM, BN>);
      for (auto i : range(wt.tiles(0))) {
        for (auto j : range(wt.tiles(1))) {
          auto y = top + i;
          auto c = left + j;
          auto is_inside = (y >= 0) & (y < to_index(height)) & (c >= 0) & (c < to_index(width));
          auto place = (image * to_index(height) + y) * to_index(width) + c;
          auto row = max(min(place, x.extent(0) - 1), 0);
          for (auto k : range(wt.tiles(2))) {
            auto pixels = select(is_inside, x.gather_rows(row, tile<BM, BK>, k), 0);
            sum = mma(pixels, reshape(wt.load(i, j, k, b.pid(1), pad(0)), tile<BK, BN>), sum);
          }
        }
      }
      z.store(cast<T>(sum));
    }).defaults(BK = 32);

// What a block sums over the taps: its pixels of a row of z by the weights. `pixels` are windows of BM pixels that lie
// Stride apart, seen as columns of Stride each; tap j of column c begins at pixel c Stride + j + shift.
template <int Stride, class T, class Z, class Pixels>
constexpr void store_sum_of_taps(Block b, const Z& z, const Pixels& pixels, const In<T, dyn, dyn, dyn, dyn>& weights,
                                 int shift) {
  auto wt = weights.partition(tile<1, 1, BK, BN>);
  auto row = b.pid(1) * Stride, column = b.pid(2) * b.size(tile<BM>);
  auto sum = b.zeros<f32>(tile<BM, BN>);
  for (auto i : range(wt.tiles(0))) {
    for (auto j : range(wt.tiles(1))) {
      auto from = j + shift;
      for (auto k : range(wt.tiles(2))) {
        auto met = pixels.load(b.pid(0), row + i, column + from / Stride, from % Stride, k, pad(0));
        auto tap = wt.load(i, j, k, b.pid(3), pad(0));
        sum = mma(reshape(met, tile<BM, BK>), reshape(tap, tile<BK, BN>), sum);
      }
    }
  }
  z.store(reshape(cast<T>(sum), tile<1, 1, BM, BN>));
}

// The same by shifted loads: z is [count, rows, columns, filters] in pieces [1, 1, BM, BN], weights as above. x is seen
// as [count, height, width / Stride, Stride, channels], which is a reshape: so the pixels that one tap meets along a
// row lie side by side, and none is loaded in vain. BK is any number. x holds its margin here: windows begin inside.
template <class T, int Stride>
inline constexpr auto shifted_convolution = kernel<"shifted_convolution">([](Block b, Out<T, 1, 1, BM, BN> z,
                                                                             In<T, dyn, dyn, dyn, Stride, dyn> x,
                                                                             In<T, dyn, dyn, dyn, dyn> weights) {
                                              require_equal(weights.extent(2), x.extent(4));
                                              require_equal(weights.extent(3), z.extent(3));
                                              auto pixels = x.windows(tile<1, 1, BM, 1, BK>, stride<1, 1, 1, 1, BK>);
                                              store_sum_of_taps<Stride>(b, z, pixels, weights, 0);
                                            }).defaults(BK = 32);

// And here pixel (r, c) of z sees x from (r Stride - Margin, c Stride - Margin) on; outside of the image all is 0.
template <class T, int Stride, int Margin>
inline constexpr auto margined_convolution =
    kernel<"margined_convolution">([](Block b, Out<T, 1, 1, BM, BN> z, In<T, dyn, dyn, dyn, Stride, dyn> x,
                                      In<T, dyn, dyn, dyn, dyn> weights) {
      require_equal(x.extent(0), z.extent(0));
      require_equal(weights.extent(2), x.extent(4));
      require_equal(weights.extent(3), z.extent(3));
      constexpr int columns = (Margin + Stride - 1) / Stride;  // that hold the margin of a row, the first one in part
      auto pixels = x.windows(tile<1, 1, BM, 1, BK>, stride<1, 1, 1, 1, BK>, margin<0, Margin, columns, 0, 0>);
      store_sum_of_taps<Stride>(b, z, pixels, weights, columns * Stride - Margin);
    }).defaults(BK = 32);

// The greatest of each window of Size x Size pixels, every Stride pixels: x is [height, width, channels], z [rows,
// columns, channels] in pieces [1, 1, BN]. A window that overhangs has the greatest of what is inside.
template <class T, int Size, int Stride>
inline constexpr auto max_pool = kernel<"max_pool">([](Block b, Out<T, 1, 1, BN> z, In<T, dyn, dyn, dyn> x) {
  require_equal(x.extent(2), z.extent(2));
  auto seen = x.windows(tile<Size, Size, BN>, stride<Stride, Stride, BN>);
  auto window = seen.load(b.pid(0), b.pid(1), b.pid(2), pad(-inf));
  z.store(reduce_max<0>(reduce_max<1>(window)));
});

}  // namespace tilewright::ports
