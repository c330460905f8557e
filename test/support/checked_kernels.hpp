// SPDX-License-Identifier: Apache-2.0
// Kernels for each kind of residual check, and one with many in nested loops and branches.
#pragma once

#include "support/paged_attention.hpp"

namespace tilewright::test {

namespace checked {

using kernels::BK, kernels::BM, kernels::BN, kernels::D;

constexpr auto first_of(const In<i32, dyn>& list, const Index& i) {
  return to_index(reshape(list.load(tile<1>, i), tile<>));
}

inline constexpr auto pages = kernel<"pages">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<i32, dyn> list) {
  z.store(x.load(tile<BM, BN>, first_of(list, b.pid(0)), b.pid(1)));
});
inline constexpr auto rows = kernel<"rows">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<i64, dyn, 1> list) {
  z.store(x.gather_rows(list.load(tile<BM, 1>, b.pid(0), 0), tile<BM, BN>, b.pid(1)));
});
inline constexpr auto quotients = kernel<"quotients">(
    [](Out<i32, BM, BN> z, In<i32, dyn, dyn> x, In<i32, dyn, dyn> d) { z.store(load_like(x, z) / load_like(d, z)); });
// y's rows of tiles in the order of a list.
inline constexpr auto paged_gemm =
    kernel<"paged_gemm">([](Block b, Out<f16, BM, BN> z, In<f16, dyn, dyn> x, In<f16, dyn, dyn> y, In<i32, dyn> list) {
      auto acc = b.zeros<f32>(tile<BM, BN>);
      for (auto k : range(x.partition(tile<BM, BK>).tiles(1)))
        acc = mma(x.load(tile<BM, BK>, b.pid(0), k), y.load(tile<BK, BN>, first_of(list, k), b.pid(1)), acc);
      z.store(cast<f16>(acc));
    });
// Divisions and loads in a loop in a branch in a loop.
inline constexpr auto nested =
    kernel<"nested">([](Block b, InOut<i32, BM, BN> z, In<i32, dyn, dyn> x, In<i32, dyn> list) {
      auto total = z.load();
      for (auto i : range(list.partition(tile<1>).tiles(0))) {
        auto page = first_of(list, i);
        total = if_(
            page > 3,
            [&] {
              auto sum = b.zeros<i32>(tile<BM, BN>);
              for (auto j : range(page)) sum = sum + x.load(tile<BM, BN>, j, page) / x.load(tile<BM, BN>, page, j);
              return sum;
            },
            [&] { return total; });
      }
      z.store(total);
    });

}  // namespace checked

}  // namespace tilewright::test
