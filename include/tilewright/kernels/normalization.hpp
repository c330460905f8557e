// SPDX-License-Identifier: Apache-2.0
// Kernels over whole rows: softmax, rms_norm, layer_norm of x [M, columns], a block holding BM rows in one tile [BM, N]
// with N >= columns. Computed in f32 whatever T is. Lanes past the last column never count.
#pragma once

#include "tilewright/kernels/base_two.hpp"
#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// e^(x - max) / sum. A row that is -inf throughout gives zeros (nothing to weigh); a row with NaN or +inf gives NaN.
template <class T>
constexpr auto softmax() {
  return kernel<"softmax">([](Block b, Out<T, BM, N> z, In<T, dyn, dyn> x) {
    require_whole_rows(b, z, x);
    auto row = cast<f32>(x.load(tile<BM, N>, b.pid(0), b.pid(1), pad(-inf)));
    auto greatest = reduce_max<1>(row);
    auto e = exp(row - select(greatest == -inf, 0.0f, greatest));
    auto sum = reduce_sum<1>(e);
    z.store(cast<T>(e / select(sum == 0.0f, 1.0f, sum)));
  });
}

// softmax for long rows of f16 or bf16 on a GPU: the row stays in its 16 bits, and the exponentials are taken twice, so
// that fewer registers are live. Elsewhere softmax is as fast or faster.
template <class T>
constexpr auto softmax_twice() {
  return kernel<"softmax_twice">([](Block b, Out<T, BM, N> z, In<T, dyn, dyn> x) {
    require_whole_rows(b, z, x);
    auto row = x.load(tile<BM, N>, b.pid(0), b.pid(1), pad(-inf));
    auto greatest = cast<f32>(reduce_max<1>(row));
    auto shift = select(greatest == -inf, 0.0f, greatest);
    auto sum = reduce_sum<1>(exp2((cast<f32>(row) - shift) * log2_of_e));
    auto power = select(sum == 0.0f, 0.0f, log(sum) * log2_of_e);
    z.store(cast<T>(exp2((cast<f32>(row) - shift) * log2_of_e - power)));
  });
}

// x / sqrt(mean of squares + epsilon) * weight
template <class T>
constexpr auto rms_norm() {
  return kernel<"rms_norm">([](Block b, Out<T, BM, N> z, In<T, dyn, dyn> x, In<T, dyn> weight, Scalar<f32> epsilon) {
    require_whole_rows(b, z, x);
    require_equal(weight.extent(0), x.extent(1));
    auto row = cast<f32>(x.load(tile<BM, N>, b.pid(0), b.pid(1), pad(0)));
    auto mean_square = reduce_sum<1>(row * row) / cast<f32>(x.extent(1));
    auto w = reshape(cast<f32>(weight.load(tile<N>, b.pid(1), pad(0))), tile<1, N>);
    z.store(cast<T>(row * rsqrt(mean_square + epsilon) * w));
  });
}

// (x - mean) / sqrt(variance + epsilon) * weight + bias, the variance from the differences (no cancellation)
template <class T>
constexpr auto layer_norm() {
  return kernel<"layer_norm">(
      [](Block b, Out<T, BM, N> z, In<T, dyn, dyn> x, In<T, dyn> weight, In<T, dyn> bias, Scalar<f32> epsilon) {
        require_whole_rows(b, z, x);
        require_equal(weight.extent(0), x.extent(1));
        require_equal(bias.extent(0), x.extent(1));
        auto columns = x.extent(1);
        auto row = cast<f32>(x.load(tile<BM, N>, b.pid(0), b.pid(1), pad(0)));
        auto mean = reduce_sum<1>(row) / cast<f32>(columns);
        auto real = b.iota<index_element>(tile<1, N>) < columns;
        auto difference = select(real, row - mean, 0.0f);
        auto variance = reduce_sum<1>(difference * difference) / cast<f32>(columns);
        auto w = reshape(cast<f32>(weight.load(tile<N>, b.pid(1), pad(0))), tile<1, N>);
        auto shift = reshape(cast<f32>(bias.load(tile<N>, b.pid(1), pad(0))), tile<1, N>);
        z.store(cast<T>(difference * rsqrt(variance + epsilon) * w + shift));
      });
}

}  // namespace tilewright::kernels
