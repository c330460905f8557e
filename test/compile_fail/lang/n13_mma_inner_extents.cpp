// SPDX-License-Identifier: Apache-2.0
// expect-error: columns of a and rows of b differ
// expect-error: n13_mma_inner_extents\.cpp:14:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f16, dyn, dyn> x, In<f16, dyn, dyn> y) {
#ifndef TILEWRIGHT_FIXED
  auto p = x.load(tile<BM, BK>, 0, 0);
  auto q = y.load(tile<BN, BK>, 0, 0);
  z.store(mma(p, q, b.zeros<f32>(tile<BM, BN>)));
#else
  auto p = x.load(tile<BM, BK>, 0, 0);
  auto q = y.load(tile<BN, BK>, 0, 0);
  z.store(mma(p, transpose(q), b.zeros<f32>(tile<BM, BN>)));
#endif
});
