// SPDX-License-Identifier: Apache-2.0
// expect-error: mma_scaled: a scale is of 32 elements along K, of f4e2m1 of 16 too
// expect-error: n315_scales_of_other_blocks\.cpp:21:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f8e4m3, dyn, dyn> x, In<f8e8m0, dyn, dyn> xs,
                                         In<f8e4m3, dyn, dyn> y, In<f8e8m0, dyn, dyn> ys) {
#ifndef TILEWRIGHT_FIXED
  constexpr int blocks = 4;
#else
  constexpr int blocks = 2;
#endif
  auto p = x.load(tile<BM, 64>, b.pid(0), 0);
  auto q = y.load(tile<64, BN>, 0, b.pid(1));
  auto p_scales = xs.load(tile<BM, blocks>, b.pid(0), 0);
  auto q_scales = ys.load(tile<blocks, BN>, 0, b.pid(1));
  z.store(mma_scaled(p, p_scales, q, q_scales, b.zeros<f32>(tile<BM, BN>)));
});
