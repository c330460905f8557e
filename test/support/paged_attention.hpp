// SPDX-License-Identifier: Apache-2.0
// Attention over keys that start at a tile which a tensor names, twice: with the start in place, so that nothing bounds
// the tiles and the kernel checks each one; and with the start ignored, so that nothing is left to check. The first
// beside the second shows what residual checks cost.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {

// Every query sees every key from tile start[0] on; z and q [queries, heads * D], k and v [keys, heads * D] in whole
// tiles. The scale is of base 2 and above 0.
template <class T, bool IsChecked>
constexpr auto paged_attention() {
  using kernels::BM, kernels::BN, kernels::D;
  return kernel<"paged_attention">([](Block b, Out<T, BM, D> z, In<T, dyn, dyn> q, In<T, dyn, dyn> k, In<T, dyn, dyn> v,
                                      Scalar<f32> scale, In<i32, 1> start) {
    kernels::require_same_shape(z, q);
    kernels::require_same_shape(k, v);
    require_equal(k.extent(1), q.extent(1));
    auto kt = k.partition(tile<BN, D>);
    auto vt = v.partition(tile<BN, D>);
    auto query = q.load(tile<BM, D>, b.pid(0), b.pid(1));
    auto first = to_index(reshape(start.load(tile<1>, 0), tile<>));
    auto place = [&](const Index& j) {
      if constexpr (IsChecked) return first + j;
      return j + 0;
    };
    auto values = b.zeros<f32>(tile<BM, D>);
    auto sum = b.zeros<f32>(tile<BM, 1>);
    auto greatest = b.full<f32>(tile<BM, 1>, -inf);
    for (auto j : range(kt.tiles(0))) {
      auto score = mma(query, transpose(kt.load(place(j), b.pid(1))), b.zeros<f32>(tile<BM, BN>));
      auto next = max(greatest, reduce_max<1>(score) * scale);
      auto weight = exp2(score * scale - next);
      auto kept = exp2(greatest - next);
      sum = sum * kept + reduce_sum<1>(weight);
      values = mma(cast<T>(weight), vt.load(place(j), b.pid(1)), values * kept);
      greatest = next;
    }
    z.store(cast<T>(values / sum));
  });
}

// As the library's attention is scheduled at these sizes (pieces of 128 x 128, BN = 128).
template <bool IsChecked>
constexpr auto scheduled_paged_attention() {
  return paged_attention<f16, IsChecked>().with(kernels::BN = 128, workers = 8, occupancy = 1, latency(2) = 3,
                                                latency(3) = 4, fast_math);
}

}  // namespace tilewright::test
