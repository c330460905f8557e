// SPDX-License-Identifier: Apache-2.0
// expect-error: mma\(a, b, c, fast_accumulation\) multiplies fp8 and sums in f32; leave the tag out
// expect-error: n267_fast_accumulation_of_f16\.cpp:14:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f16, dyn, dyn> x, In<f16, dyn, dyn> y) {
  auto p = x.load(tile<BM, BK>, 0, 0);
  auto q = y.load(tile<BK, BN>, 0, 0);
#ifndef TILEWRIGHT_FIXED
  z.store(mma(p, q, b.zeros<f32>(tile<BM, BN>), fast_accumulation));
#else
  z.store(mma(p, q, b.zeros<f32>(tile<BM, BN>)));
#endif
});
