// SPDX-License-Identifier: Apache-2.0
// expect-error: mma\(a, b, c\): a and b have different element types; write cast<T>\(x\)
// expect-error: n266_mma_tf32_by_f32\.cpp:14:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<f32, dyn, dyn> y) {
  auto p = cast<tf32>(x.load(tile<BM, BK>, 0, 0));
  auto q = y.load(tile<BK, BN>, 0, 0);
#ifndef TILEWRIGHT_FIXED
  z.store(mma(p, q, b.zeros<f32>(tile<BM, BN>)));
#else
  z.store(mma(p, cast<tf32>(q), b.zeros<f32>(tile<BM, BN>)));
#endif
});
