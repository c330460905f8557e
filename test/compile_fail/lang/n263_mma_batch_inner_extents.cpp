// SPDX-License-Identifier: Apache-2.0
// expect-error: columns of a and rows of b differ
// expect-error: n263_mma_batch_inner_extents\.cpp:15:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k =
    kernel<"k">([](Block b, Out<f32, B, BM, BN> z, In<f16, dyn, dyn, dyn> x, In<f16, dyn, dyn, dyn> y) {
      auto p = x.load(tile<B, BM, BK>, 0, 0, 0);
#ifndef TILEWRIGHT_FIXED
      auto q = y.load(tile<B, BN, BK>, 0, 0, 0);
      z.store(mma(p, q, b.zeros<f32>(tile<B, BM, BN>)));
#else
      auto q = permute<0, 2, 1>(y.load(tile<B, BN, BK>, 0, 0, 0));
      z.store(mma(p, q, b.zeros<f32>(tile<B, BM, BN>)));
#endif
    });
