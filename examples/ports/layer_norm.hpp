// SPDX-License-Identifier: Apache-2.0
// Layer norm with what its gradients need, its gradients, and rms_norm of a sum. x, z, dz, dx are [M, columns], mean
// and scale [M, 1] f32, scale being 1 / sqrt(variance + epsilon). Blocks hold whole rows [BM, N], N >= columns.
// Peers: Triton's tutorial 05 (layer norm; there a lock in memory joins the weights' gradients, here an Accum), Liger,
// cuTile Rust's add_rms_norm (unsafe there).
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

template <class T>
inline constexpr auto layer_norm_saved = kernel<"layer_norm_saved">([](Block b, Out<T, BM, N> z, Out<f32, BM, 1> mean,
                                                                       Out<f32, BM, 1> scale, In<T, dyn, dyn> x,
                                                                       In<T, dyn> weight, In<T, dyn> bias,
                                                                       Scalar<f32> epsilon) {
  require_whole_rows(b, z, x);
  require_equal(mean.extent(0), x.extent(0));
  require_equal(scale.extent(0), x.extent(0));
  require_equal(weight.extent(0), x.extent(1));
  require_equal(bias.extent(0), x.extent(1));
  auto columns = cast<f32>(x.extent(1));
  auto row = cast<f32>(x.load(tile<BM, N>, b.pid(0), 0, pad(0)));
  auto middle = reduce_sum<1>(row) / columns;
  auto is_column = b.iota<index_element>(tile<1, N>) < x.extent(1);
  auto difference = select(is_column, row - middle, 0.0f);
  auto inverse = rsqrt(reduce_sum<1>(difference * difference) / columns + epsilon);
  auto w = reshape(cast<f32>(weight.load(tile<N>, 0, pad(0))), tile<1, N>);
  auto shift = reshape(cast<f32>(bias.load(tile<N>, 0, pad(0))), tile<1, N>);
  z.store(cast<T>(difference * inverse * w + shift));
  mean.store(middle);
  scale.store(inverse);
});

// dx from dz.
template <class T>
inline constexpr auto layer_norm_backward = kernel<"layer_norm_backward">([](Block b, Out<T, BM, N> dx,
                                                                             In<T, dyn, dyn> dz, In<T, dyn, dyn> x,
                                                                             In<T, dyn> weight, In<f32, dyn, 1> mean,
                                                                             In<f32, dyn, 1> scale) {
  require_whole_rows(b, dx, x);
  require_same_shape(dz, x);
  require_same_shape(mean, scale);
  require_equal(mean.extent(0), x.extent(0));
  require_equal(weight.extent(0), x.extent(1));
  auto columns = cast<f32>(x.extent(1));
  auto inverse = scale.load(tile<BM, 1>, b.pid(0), 0);
  auto row = cast<f32>(x.load(tile<BM, N>, b.pid(0), 0, pad(0)));
  auto normal = (row - mean.load(tile<BM, 1>, b.pid(0), 0)) * inverse;
  auto w = reshape(cast<f32>(weight.load(tile<N>, 0, pad(0))), tile<1, N>);
  auto weighted = cast<f32>(dz.load(tile<BM, N>, b.pid(0), 0, pad(0))) * w;  // 0 past the last column
  auto along = reduce_sum<1>(normal * weighted) / columns;
  auto level = reduce_sum<1>(weighted) / columns;
  dx.store(cast<T>((weighted - (normal * along + level)) * inverse));
});

// The gradients of weight and bias, [columns] in pieces [BN] shared by ceil(M / BM) blocks; they add to what they hold.
template <class T>
inline constexpr auto layer_norm_weights = kernel<"layer_norm_weights">(
    [](Block b, Accum<f32, combiner::sum, BN> dw, Accum<f32, combiner::sum, BN> db, In<T, dyn, dyn> dz,
       In<T, dyn, dyn> x, In<f32, dyn, 1> mean, In<f32, dyn, 1> scale) {
      require_same_shape(dz, x);
      require_same_shape(mean, scale);
      require_equal(mean.extent(0), x.extent(0));
      require_equal(x.extent(1), dw.extent(0));
      require_equal(x.extent(1), db.extent(0));
      auto gradient = cast<f32>(dz.load(tile<BM, BN>, b.pid(1), b.pid(0), pad(0)));
      auto row = cast<f32>(x.load(tile<BM, BN>, b.pid(1), b.pid(0), pad(0)));
      auto normal = (row - mean.load(tile<BM, 1>, b.pid(1), 0, pad(0))) * scale.load(tile<BM, 1>, b.pid(1), 0, pad(0));
      dw.combine(reshape(reduce_sum<0>(gradient * normal), tile<BN>));
      db.combine(reshape(reduce_sum<0>(gradient), tile<BN>));
    });

// sum = x + residual, z = rms_norm(sum) weight; the norm is of the sum before it is rounded to T.
template <class T>
inline constexpr auto add_rms_norm = kernel<"add_rms_norm">([](Block b, Out<T, BM, N> z, Out<T, BM, N> sum,
                                                               In<T, dyn, dyn> x, In<T, dyn, dyn> residual,
                                                               In<T, dyn> weight, Scalar<f32> epsilon) {
  require_whole_rows(b, z, x);
  require_same_shape(sum, x);
  require_same_shape(residual, x);
  require_equal(weight.extent(0), x.extent(1));
  auto row =
      cast<f32>(x.load(tile<BM, N>, b.pid(0), 0, pad(0))) + cast<f32>(residual.load(tile<BM, N>, b.pid(0), 0, pad(0)));
  auto mean_square = reduce_sum<1>(row * row) / cast<f32>(x.extent(1));
  auto w = reshape(cast<f32>(weight.load(tile<N>, 0, pad(0))), tile<1, N>);
  sum.store(cast<T>(row));
  z.store(cast<T>(row * rsqrt(mean_square + epsilon) * w));
});

}  // namespace tilewright::ports
