// SPDX-License-Identifier: Apache-2.0
// Dense products: gemm z[M,N] = x[M,K] y[K,N] and gemv z[M] = x[M,K] y[K]. Floating types accumulate in f32 and round
// once at the store, i8 accumulates in i32. K = 0 gives zeros. Padding makes a ragged depth inert (0 * NaN is NaN).
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

namespace detail {
template <class T>
struct accumulator {
  using type = f32;
};
template <>
struct accumulator<i8> {
  using type = i32;
};
}  // namespace detail
template <class T>
using accumulator_of = typename detail::accumulator<T>::type;

// T: element of x and y; Z: element of z (f32, or T; i32 for i8).
template <class T, class Z = T>
constexpr auto gemm() {
  return kernel<"gemm">([](Block b, Out<Z, BM, BN> z, In<T, dyn, dyn> x, In<T, dyn, dyn> y) {
           require_equal(x.extent(0), z.extent(0));
           require_equal(x.extent(1), y.extent(0));
           require_equal(y.extent(1), z.extent(1));
           auto xt = x.partition(tile<BM, BK>);
           auto yt = y.partition(tile<BK, BN>);
           auto sum = b.zeros<accumulator_of<T>>(tile<BM, BN>);
           for (auto k : range(xt.tiles(1)).reduction()) {
             sum = mma(xt.load(b.pid(0), k, pad(0)), yt.load(k, b.pid(1), pad(0)), sum);
           }
           z.store(cast<Z>(sum));
         })
      .defaults(BK = 128);
}

template <class T, class Z = T>
constexpr auto gemv() {
  return kernel<"gemv">([](Block b, Out<Z, BM> z, In<T, dyn, dyn> x, In<T, dyn> y) {
           require_equal(x.extent(0), z.extent(0));
           require_equal(x.extent(1), y.extent(0));
           auto xt = x.partition(tile<BM, BK>);
           auto yt = y.partition(tile<BK>);
           auto sum = b.zeros<accumulator_of<T>>(tile<BM, 1>);
           for (auto k : range(xt.tiles(1)).reduction()) {
             auto row = reshape(cast<accumulator_of<T>>(yt.load(k, pad(0))), tile<1, BK>);
             sum = sum + reduce_sum<1>(cast<accumulator_of<T>>(xt.load(b.pid(0), k, pad(0))) * row);
           }
           z.store(cast<Z>(reshape(sum, tile<BM>)));
         })
      .defaults(BK = 256);
}

}  // namespace tilewright::kernels
