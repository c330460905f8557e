// SPDX-License-Identifier: Apache-2.0
// The kernels that every layer is tried on; attention has a header of its own.
#pragma once

#include "support/attention_kernel.hpp"

namespace tilewright::test {

inline constexpr Dim B{"B"}, BK{"BK"}, N{"N"};

inline constexpr auto add =
    kernel<"add">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });

inline constexpr auto saxpy = kernel<"saxpy">([](Out<f32, B> z, Scalar<f32> a, In<f32, dyn> x, In<f32, dyn> y) {
  z.store(a * load_like(x, z) + load_like(y, z));
});

inline constexpr auto softmax = kernel<"softmax">([](Out<f32, BM, N> z, In<f32, dyn, N> x) {
  auto v = load_like(x, z);
  auto e = exp(v - reduce_max<1>(v));
  z.store(e / reduce_sum<1>(e));
});

inline constexpr auto gemm = kernel<"gemm">([](Block b, Out<f16, BM, BN> z, In<f16, dyn, dyn> x, In<f16, dyn, dyn> y) {
  auto xt = x.partition(tile<BM, BK>);
  auto yt = y.partition(tile<BK, BN>);
  auto acc = b.zeros<f32>(tile<BM, BN>);
  for (auto k : range(xt.tiles(1)).reduction()) {
    acc = mma(xt.load(b.pid(0), k, pad(0)), yt.load(k, b.pid(1), pad(0)), acc);
  }
  z.store(cast<f16>(acc));
});

// Blocks (j, i) share piece j.
inline constexpr auto column_sums =
    kernel<"column_sums">([](Block b, Accum<f32, combiner::sum, BN> z, In<f32, dyn, dyn> x) {
      auto part = x.load(tile<BM, BN>, b.pid(1), b.pid(0), pad(0));
      z.combine(reshape(reduce_sum<0>(part), tile<BN>));
    });

// Rows that round up to a power of two: from the last column back.
inline constexpr auto greatest_from_here = kernel<"greatest_from_here">([](Out<f16, BM, N> z, In<f16, dyn, N> x) {
  z.store(scan_max<1, scan_order::reverse>(load_like(x, z)) - scan_sum<1>(load_like(x, z)));
});

// Rows of two tensors as pairs of halves: extents that are expressions over Dims.
inline constexpr auto half_rows =
    kernel<"half_rows">([](Block b, Out<f32, 4 * BM, BN / 2> z, In<f32, dyn, BN> x, In<f32, dyn, BN> y) {
      auto both = cat<0>(x.load(tile<BM, BN>, b.pid(0), 0), y.load(tile<BM, BN>, b.pid(0), 0));
      auto count = cast<f32>(b.size(tile<ceil_div(BN, 3)>));
      z.store(reshape(both * count, tile<BM * 4, BN / 2>));
    });
// Such rows by combiners: states of a recurrence from the last column back, less those of each row's greatest.
inline constexpr auto states_from_here = kernel<"states_from_here">([](Out<f32, BM, N> z, In<f32, dyn, N> x) {
  auto v = load_like(x, z);
  auto [factors, states] =
      scan<1, scan_order::reverse>(values(v, v), identity(1, 0), [](const auto& left, const auto& right) {
        auto factor = left.first * right.first;
        return values(factor, right.first * left.second + right.second);
      });
  auto [greatest, state] = reduce<1>(values(v, states), identity(-inf, 0), [](const auto& left, const auto& right) {
    auto top = max(left.first, right.first);
    auto of_left = select(left.first == top, left.second, 0.0f);
    auto of_right = select(right.first == top, right.second, 0.0f);
    return values(top, of_left + of_right);
  });
  z.store(states - state);
});

// Rows longer than any tile, stored part by part.
inline constexpr auto long_scan = kernel<"long_scan">([](Block b, Out<f32, BM, dyn> z, In<f32, dyn, dyn> x) {
  auto zt = z.partition(tile<BM, BK>);
  auto before = b.zeros<f32>(tile<BM, 1>);
  for (auto k : range(zt.tiles(1))) {
    auto v = x.load(tile<BM, BK>, b.pid(0), k, pad(0));
    zt.store(0, k, scan_sum<1>(v) + before);
    before += reduce_sum<1>(v);
  }
});

}  // namespace tilewright::test
