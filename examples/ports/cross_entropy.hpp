// SPDX-License-Identifier: Apache-2.0
// Cross-entropy of rows of logits x [M, classes], of any width, with its gradient. A target outside 0 .. classes - 1,
// such as -100, does not count: loss and gradient are 0. Peers: Liger (there one program writes the gradient over the
// logits).
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// loss[i] = log_sum[i] - x[i, target[i]] with log_sum = log of the sum of e^x; both [M] in pieces [BM]. The sum is kept
// relative to the greatest logit so far (M. Milakov, N. Gimelshein, 2018).
template <class T>
inline constexpr auto cross_entropy = kernel<"cross_entropy">([](Block b, Out<f32, BM> loss, Out<f32, BM> log_sum,
                                                                 In<T, dyn, dyn> x, In<i32, dyn> targets) {
  require_equal(loss.extent(0), x.extent(0));
  require_equal(log_sum.extent(0), x.extent(0));
  require_equal(targets.extent(0), x.extent(0));
  auto xt = x.partition(tile<BM, BN>);
  auto target = to_index(reshape(targets.load(tile<BM>, b.pid(0), pad(-1)), tile<BM, 1>));
  auto column = b.iota<index_element>(tile<1, BN>);
  auto greatest = b.full<f32>(tile<BM, 1>, -inf);
  auto sum = b.zeros<f32>(tile<BM, 1>);
  auto chosen = b.zeros<f32>(tile<BM, 1>);
  for (auto j : range(xt.tiles(1))) {
    auto part = cast<f32>(xt.load(b.pid(0), j, pad(-inf)));
    auto next = max(greatest, reduce_max<1>(part));
    auto shift = select(next == -inf, 0.0f, next);
    sum = sum * exp(greatest - shift) + reduce_sum<1>(exp(part - shift));
    chosen += reduce_sum<1>(select(column == target - j * b.size(tile<BN>), part, 0.0f));
    greatest = next;
  }
  auto all = log(sum) + select(greatest == -inf, 0.0f, greatest);
  auto counts = (target >= 0) & (target < x.extent(1));
  log_sum.store(reshape(all, tile<BM>));
  loss.store(reshape(select(counts, all - chosen, 0.0f), tile<BM>));
});

// dx = (e^(x - log_sum) - [column is target]) factor; factor is 1 / (counted rows) for a mean.
template <class T>
inline constexpr auto cross_entropy_backward = kernel<"cross_entropy_backward">(
    [](Block b, Out<T, BM, BN> dx, In<T, dyn, dyn> x, In<f32, dyn> log_sum, In<i32, dyn> targets, Scalar<f32> factor) {
      require_same_shape(dx, x);
      require_equal(log_sum.extent(0), x.extent(0));
      require_equal(targets.extent(0), x.extent(0));
      auto target = to_index(reshape(targets.load(tile<BM>, b.pid(0)), tile<BM, 1>));
      auto is_target = b.iota<index_element>(tile<1, BN>) == target - b.pid(1) * b.size(tile<BN>);
      auto all = reshape(log_sum.load(tile<BM>, b.pid(0)), tile<BM, 1>);
      auto difference = exp(cast<f32>(load_like(x, dx)) - all) - cast<f32>(is_target);
      auto counts = (target >= 0) & (target < x.extent(1));
      dx.store(cast<T>(select(counts, difference * factor, 0.0f)));
    });

}  // namespace tilewright::ports
