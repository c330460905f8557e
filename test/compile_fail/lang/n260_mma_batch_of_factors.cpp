// SPDX-License-Identifier: Apache-2.0
// expect-error: mma\(a, b, c\): the first extents of a batch differ; broadcast the one that has 1
// expect-error: n260_mma_batch_of_factors\.cpp:15:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k =
    kernel<"k">([](Block b, Out<f32, B, BM, BN> z, In<f16, dyn, dyn, dyn> x, In<f16, dyn, dyn, dyn> y) {
      auto p = x.load(tile<B, BM, BK>, 0, 0, 0);
#ifndef TILEWRIGHT_FIXED
      auto q = y.load(tile<1, BK, BN>, 0, 0, 0);
      z.store(mma(p, q, b.zeros<f32>(tile<B, BM, BN>)));
#else
      auto q = broadcast(y.load(tile<1, BK, BN>, 0, 0, 0), tile<B, BK, BN>);
      z.store(mma(p, q, b.zeros<f32>(tile<B, BM, BN>)));
#endif
    });
